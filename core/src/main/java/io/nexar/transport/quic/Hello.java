package io.nexar.transport.quic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.nexar.ProtocolException;
import io.nexar.transport.Lane;
import io.nexar.wire.FrameHeader;

/**
 * The first four bytes of each stream, {@code 'N' 'X' version lane}, from the dialler, and the
 * acceptor's answer on the CONTROL stream once it has all lanes: the same with {@link #ACCEPTED} in
 * place of the lane. ALPN has compared the version already; here it is named in the error of
 * whoever tunnels something else.
 */
final class Hello {
    static final int BYTES = 4;

    /** Not a lane. */
    static final int ACCEPTED = 0xFF;

    private Hello() {}

    static ByteBuf of(int lane) {
        return Unpooled.directBuffer(BYTES, BYTES)
                .writeByte('N')
                .writeByte('X')
                .writeByte(FrameHeader.PROTOCOL_VERSION)
                .writeByte(lane);
    }

    /** The lane, or {@link #ACCEPTED}. */
    static int parse(byte[] hello) {
        if (hello[0] != 'N' || hello[1] != 'X') {
            throw new ProtocolException(
                    "a stream",
                    "it begins with %02x %02x instead of a hello".formatted(hello[0], hello[1]));
        }
        if (hello[2] != FrameHeader.PROTOCOL_VERSION) {
            throw new ProtocolException(
                    "a stream",
                    "its version is "
                            + Byte.toUnsignedInt(hello[2])
                            + ", this side speaks "
                            + FrameHeader.PROTOCOL_VERSION);
        }
        int lane = Byte.toUnsignedInt(hello[3]);
        if (lane >= Lane.COUNT && lane != ACCEPTED) {
            throw new ProtocolException(
                    "a stream",
                    "lane " + lane + " does not exist; 0 to " + (Lane.COUNT - 1) + " do");
        }
        return lane;
    }
}
