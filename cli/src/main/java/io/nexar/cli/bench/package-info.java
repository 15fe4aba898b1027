/**
 * Measures operations: what a rank does, what is made of its times, and whether its results are
 * right. It must not know the command line, nor how ranks are started.
 */
@NullMarked
package io.nexar.cli.bench;

import org.jspecify.annotations.NullMarked;
