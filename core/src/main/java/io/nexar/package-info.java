/**
 * The contract that programs compile against: communicators, buffers, types, operations, errors and
 * settings as values. It must not know how anything is done; only the entry classes {@code Nexar}
 * and {@code LocalCluster} reach the runtime, and {@code NexarConfig} the option table.
 */
@NullMarked
package io.nexar;

import org.jspecify.annotations.NullMarked;
