package io.nexar.transport.quic;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.util.ReferenceCountUtil;
import io.nexar.transport.Lane;

import org.jspecify.annotations.Nullable;

/**
 * One stream of a connection: reads the hello where one is due, then hands bytes to the lane. A
 * lane lives as long as its link, so a stream that ends, in whatever way, ends the link. The event
 * loop's.
 */
final class LaneStream extends ChannelInboundHandlerAdapter {
    private final Connection connection;
    private final byte[] hello = new byte[Hello.BYTES];
    private int helloFill;
    private @Nullable Lane lane;
    private @Nullable IncomingLane incoming;
    private boolean hasArrived;

    private LaneStream(Connection connection, @Nullable Lane lane, boolean isHelloDue) {
        this.connection = connection;
        this.lane = lane;
        helloFill = isHelloDue ? 0 : Hello.BYTES;
    }

    /** A stream of the dialler; its hello says for which lane. */
    static LaneStream accepted(Connection connection) {
        return new LaneStream(connection, null, true);
    }

    /** An own stream for this lane; on CONTROL the acceptor says hello. */
    static LaneStream dialled(Connection connection, Lane lane) {
        return new LaneStream(connection, lane, lane == Lane.CONTROL);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            ReferenceCountUtil.release(message);
            return;
        }
        QuicStreamChannel stream = (QuicStreamChannel) context.channel();
        if (helloFill < Hello.BYTES && !isHelloDone(stream, bytes)) {
            bytes.release();
            return;
        }
        QuicLink link = connection.link();
        if (incoming == null && link != null && lane != null) {
            incoming = link.incoming(lane);
        }
        if (incoming == null || !bytes.isReadable()) {
            bytes.release();
            return;
        }
        hasArrived = true;
        if (incoming.isFullAfter(bytes)) {
            stream.config().setAutoRead(false);
        }
    }

    private boolean isHelloDone(QuicStreamChannel stream, ByteBuf bytes) {
        int more = Math.min(Hello.BYTES - helloFill, bytes.readableBytes());
        bytes.readBytes(hello, helloFill, more);
        helloFill += more;
        if (helloFill < Hello.BYTES) {
            return false;
        }
        try {
            int said = Hello.parse(hello);
            lane = said == Hello.ACCEPTED ? Lane.CONTROL : Lane.of(said);
            connection.onHello(said, stream);
            return true;
        } catch (RuntimeException e) {
            connection.fail(String.valueOf(e.getMessage()));
            return false;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        QuicLink link = connection.link();
        if (hasArrived && link != null) {
            hasArrived = false;
            link.onArrival();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            fail("was ended by the peer");
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        fail("was closed");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail("failed: " + cause);
    }

    private void fail(String what) {
        connection.fail((lane == null ? "a stream" : "the stream of lane " + lane) + " " + what);
    }
}
