/** Links between hosts over TCP with mutual TLS 1.3. It must not know collectives or matching. */
@NullMarked
package io.nexar.transport.tcp;

import org.jspecify.annotations.NullMarked;
