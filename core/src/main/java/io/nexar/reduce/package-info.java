/**
 * Element kernels: combine, scale and compare arrays of one type. It must not know ranks or
 * messages.
 */
@NullMarked
package io.nexar.reduce;

import org.jspecify.annotations.NullMarked;
