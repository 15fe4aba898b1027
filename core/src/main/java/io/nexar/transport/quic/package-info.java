/** Links between hosts over QUIC with mutual TLS 1.3. It must not know collectives or matching. */
@NullMarked
package io.nexar.transport.quic;

import org.jspecify.annotations.NullMarked;
