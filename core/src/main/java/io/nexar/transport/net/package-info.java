/**
 * What the socket transports share: event loops, addresses, framing on a byte stream. It must not
 * know which of them uses it.
 */
@NullMarked
package io.nexar.transport.net;

import org.jspecify.annotations.NullMarked;
