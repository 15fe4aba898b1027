package io.nexar.transport.quic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.quic.QuicChannel;
import io.nexar.transport.Link;

import org.jspecify.annotations.Nullable;

/**
 * What travels beside the streams, in DATAGRAM frames (RFC 9221): they wait in no stream for a slow
 * reader, and what is lost is not sent again. The first byte tells: 0 keeps the connection alive by
 * its arrival, 1 is a heartbeat, whose bytes follow. The event loop's.
 */
final class Datagrams {
    private static final int KEEP_ALIVE = 0;
    private static final int HEARTBEAT = 1;

    private Datagrams() {}

    static void keepAlive(QuicChannel channel) {
        if (channel.isActive()) {
            channel.writeAndFlush(Unpooled.directBuffer(1, 1).writeByte(KEEP_ALIVE));
        }
    }

    static void sendHeartbeat(QuicChannel channel, byte[] payload) {
        if (channel.isActive()) {
            int bytes = 1 + payload.length;
            channel.writeAndFlush(
                    Unpooled.directBuffer(bytes, bytes).writeByte(HEARTBEAT).writeBytes(payload));
        }
    }

    /** Hands a datagram over. Returns what is wrong with it, or null. */
    static @Nullable String receive(ByteBuf datagram, @Nullable QuicLink link) {
        int bytes = datagram.readableBytes();
        int kind = bytes == 0 ? KEEP_ALIVE : datagram.readUnsignedByte();
        if (kind > HEARTBEAT || bytes > 1 + Link.HEARTBEAT_BYTES_MAX) {
            return "a datagram of kind " + kind + " with " + bytes + " bytes is none of ours";
        }
        if (kind == HEARTBEAT && link != null) {
            byte[] payload = new byte[datagram.readableBytes()];
            datagram.readBytes(payload);
            link.heardHeartbeat(payload);
        }
        return null;
    }
}
