/** Links between ranks of one JVM. It must not know sockets or files. */
@NullMarked
package io.nexar.transport.local;

import org.jspecify.annotations.NullMarked;
