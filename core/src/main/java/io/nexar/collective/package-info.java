/**
 * Picks a plan for a collective and runs it over a fabric. It must not know transports, nor how a
 * rank is reached.
 */
@NullMarked
package io.nexar.collective;

import org.jspecify.annotations.NullMarked;
