/** JMH benchmarks of kernels, codec, rings and engine; run by hand, never a test. */
@NullMarked
package io.nexar.bench;

import org.jspecify.annotations.NullMarked;
