/** Off-heap slices and bounded pools. It must not know what the bytes mean or who sends them. */
@NullMarked
package io.nexar.memory;

import org.jspecify.annotations.NullMarked;
