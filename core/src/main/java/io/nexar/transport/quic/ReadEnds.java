package io.nexar.transport.quic;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Puts off the end of a read while a caller polls. QUIC acknowledges what it has read when a read
 * ends, in a datagram of its own; whoever polls mostly sends something a moment later, which can
 * carry the acknowledgement. If not, the read ends when the sockets are looked at next. Between the
 * socket and the codec; the event loop's.
 */
final class ReadEnds extends ChannelInboundHandlerAdapter {
    private final Pump pump;
    private @Nullable Runnable end;

    ReadEnds(Pump pump) {
        this.pump = pump;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        end = context::fireChannelReadComplete;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (!pump.isPutOff(Objects.requireNonNull(end))) {
            context.fireChannelReadComplete();
        }
    }
}
