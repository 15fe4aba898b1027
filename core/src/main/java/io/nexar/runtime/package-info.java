/**
 * Wires all rooms together, starts every thread, owns the clock, and shuts down in order. Nothing
 * else may do these four things.
 */
@NullMarked
package io.nexar.runtime;

import org.jspecify.annotations.NullMarked;
