/**
 * The sealed frames and their codec: bytes to records and back. Pure: it must not know sockets,
 * clocks or threads.
 */
@NullMarked
package io.nexar.wire;

import org.jspecify.annotations.NullMarked;
