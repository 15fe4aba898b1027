/** Counters and a bounded log of events. It takes plain values and must not know whose they are. */
@NullMarked
package io.nexar.observe;

import org.jspecify.annotations.NullMarked;
