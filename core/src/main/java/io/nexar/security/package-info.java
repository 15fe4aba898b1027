/**
 * The job's certificate authority, signing requests, node identities, join strings and TLS contexts
 * in the JDK's types. It must not know who dials whom or over which transport, and reads no clock.
 * A secret is in no {@code toString}, no exception and no log line.
 */
@NullMarked
package io.nexar.security;

import org.jspecify.annotations.NullMarked;
