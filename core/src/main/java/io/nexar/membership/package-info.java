/**
 * Who lives: joins, departures, suspicions and epochs, as a state machine with events and time in
 * and effects out. It must not know clocks, sockets or threads, nor rendezvous but through events.
 */
@NullMarked
package io.nexar.membership;

import org.jspecify.annotations.NullMarked;
