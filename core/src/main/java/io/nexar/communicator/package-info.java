/**
 * The public communicator: checks arguments, numbers calls, splits, and hands work to the rooms
 * below. It must not know transports, clocks or threads of its own.
 */
@NullMarked
package io.nexar.communicator;

import org.jspecify.annotations.NullMarked;
