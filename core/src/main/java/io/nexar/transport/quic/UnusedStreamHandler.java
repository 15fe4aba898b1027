package io.nexar.transport.quic;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Netty wants a handler for each stream; ours are added by {@link Connection} before. */
@Sharable
final class UnusedStreamHandler extends ChannelInboundHandlerAdapter {}
