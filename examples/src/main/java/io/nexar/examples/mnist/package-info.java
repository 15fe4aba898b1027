/**
 * The digit classifier: data, network and training loop. It knows the public interface only, and
 * only {@link io.nexar.examples.mnist.Trainer} and {@link io.nexar.examples.mnist.Mnist} know that
 * there are ranks.
 */
@NullMarked
package io.nexar.examples.mnist;

import org.jspecify.annotations.NullMarked;
