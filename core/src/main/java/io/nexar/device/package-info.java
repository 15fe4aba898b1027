/**
 * Adapters between device memory and the network; the CPU adapter copies nothing. It must not know
 * what the memory holds or who receives it.
 */
@NullMarked
package io.nexar.device;

import org.jspecify.annotations.NullMarked;
