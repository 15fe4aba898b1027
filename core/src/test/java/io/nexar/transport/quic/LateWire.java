package io.nexar.transport.quic;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import io.nexar.transport.quic.QuicMembers.Member;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * The network as the dialling socket of one member sees it: what arrives comes late, and what a
 * test says is lost. In the socket's pipeline, between socket and codec. The event loop's.
 */
abstract class LateWire extends ChannelDuplexHandler {
    /** As that member sees it. */
    enum Way {
        LEAVING,
        ARRIVING
    }

    private final long lateNanos;
    private final Deque<DatagramPacket> late = new ArrayDeque<>();

    LateWire(long lateNanos) {
        this.lateNanos = lateNanos;
    }

    final void putInto(Member member) throws Exception {
        member.endpoint
                .loop()
                .submit(() -> member.endpoint.dialling().pipeline().addFirst(this))
                .get(5, TimeUnit.SECONDS);
    }

    abstract boolean isLost(Way way, DatagramPacket datagram);

    /** The codec has taken a datagram; the copy is what it was. */
    void onTaken(ChannelHandlerContext context, DatagramPacket copy) {}

    @Override
    public final void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (isLost(Way.LEAVING, (DatagramPacket) message)) {
            ReferenceCountUtil.release(message);
            promise.setSuccess();
        } else {
            context.write(message, promise);
        }
    }

    @Override
    public final void channelRead(ChannelHandlerContext context, Object message) {
        if (isLost(Way.ARRIVING, (DatagramPacket) message)) {
            ReferenceCountUtil.release(message);
            return;
        }
        late.add((DatagramPacket) message);
        context.executor().schedule(() -> handOn(context), lateNanos, TimeUnit.NANOSECONDS);
    }

    private void handOn(ChannelHandlerContext context) {
        DatagramPacket arriving = late.poll();
        if (arriving != null) {
            // A copy, for QUIC decrypts where the bytes lie.
            DatagramPacket copy = arriving.copy();
            deliver(context, arriving);
            onTaken(context, copy);
            copy.release();
        }
    }

    /** As the socket does it. */
    static void deliver(ChannelHandlerContext context, DatagramPacket arriving) {
        context.fireChannelRead(arriving);
        context.fireChannelReadComplete();
    }

    @Override
    public final void channelReadComplete(ChannelHandlerContext context) {
        // Follows what is handed on.
    }

    @Override
    public final void handlerRemoved(ChannelHandlerContext context) {
        late.forEach(ReferenceCountUtil::release);
        late.clear();
    }
}
