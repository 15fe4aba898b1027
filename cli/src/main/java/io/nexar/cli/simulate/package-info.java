/**
 * Plans on paper: runs them under a cost model, without data, links and clock, and measures such a
 * model. It must not know the command line.
 */
@NullMarked
package io.nexar.cli.simulate;

import org.jspecify.annotations.NullMarked;
