/**
 * How ranks meet: joiners, ranks, certificates, deadlines, as a state machine with events and time
 * in and effects out. It must not know clocks, sockets or threads, nor membership but through
 * events.
 */
@NullMarked
package io.nexar.rendezvous;

import org.jspecify.annotations.NullMarked;
