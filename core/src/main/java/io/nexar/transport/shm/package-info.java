/** Links between processes of one host over mapped memory. It must not know Netty or sockets. */
@NullMarked
package io.nexar.transport.shm;

import org.jspecify.annotations.NullMarked;
