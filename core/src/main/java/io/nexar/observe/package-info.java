/**
 * Counters, a bounded log of events, and reports of what a rank is doing. It takes plain values and
 * must not know whose they are.
 */
@NullMarked
package io.nexar.observe;

import org.jspecify.annotations.NullMarked;
