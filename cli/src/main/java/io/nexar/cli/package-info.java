/**
 * The command line: options in, exit codes and lines out. It must not know how a job runs; it calls
 * the library.
 */
@NullMarked
package io.nexar.cli;

import org.jspecify.annotations.NullMarked;
