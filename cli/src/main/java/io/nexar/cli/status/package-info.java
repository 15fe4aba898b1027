/** How a job's state looks: as a table for people, as JSON for programs. Pure. */
@NullMarked
package io.nexar.cli.status;

import org.jspecify.annotations.NullMarked;
