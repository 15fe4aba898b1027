/**
 * Runs the processes of a job on this host: starts them, passes their lines on, and ends all of
 * them when one fails, when time is up, or when the launcher itself is gone. It must not know what
 * the processes do: a rank is a command with an environment.
 */
@NullMarked
package io.nexar.cli.launch;

import org.jspecify.annotations.NullMarked;
