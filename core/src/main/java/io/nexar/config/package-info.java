/**
 * The option table: parsing, precedence, and the fingerprint of what must agree on all ranks. The
 * only room that reads the environment and system properties; it must not know what the options are
 * used for.
 */
@NullMarked
package io.nexar.config;

import org.jspecify.annotations.NullMarked;
