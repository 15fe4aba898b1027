/**
 * The job's certificate authority, signing requests, node identities and TLS contexts in the
 * JDK's types. It must not know who dials whom or over which transport.
 */
@NullMarked
package io.nexar.security;

import org.jspecify.annotations.NullMarked;
