/** Example programs, written against the public interface only. */
@NullMarked
package io.nexar.examples;

import org.jspecify.annotations.NullMarked;
