package io.nexar.house.planted.fabric;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Knows Netty outside the socket transports. */
final class KnowsNetty {
    final ByteBuf bytes = Unpooled.EMPTY_BUFFER;
}
