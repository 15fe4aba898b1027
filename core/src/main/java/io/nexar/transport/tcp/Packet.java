package io.nexar.transport.tcp;

import io.nexar.wire.FrameHeader;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What follows the hello, inside TLS, little-endian: {@code u8 type | u8 lane | u16 0 | u32 value}.
 * A FRAME goes on with its header and payload, and its value acknowledges the frames that the
 * sender of it has handled on that lane, as the value of an ACK does; a CLOSE goes on with as many
 * bytes of text as its value says.
 */
final class Packet {
    /** Eight, so that headers and payloads in fresh memory lie aligned. */
    static final int BYTES = 8;

    static final int FRAME_BYTES = BYTES + FrameHeader.BYTES;

    static final int FRAME = 1;
    static final int ACK = 2;
    static final int CLOSE = 3;

    /** Fits one record with all else; a longer reason is cut. */
    static final int REASON_BYTES_MAX = 600;

    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Packet() {}

    static void encode(MemorySegment target, long at, int type, int lane) {
        target.set(U32, at, type | lane << 8);
    }

    static void value(MemorySegment target, long at, int value) {
        target.set(U32, at + 4, value);
    }

    static int type(MemorySegment source, long at) {
        return source.get(U32, at) & 0xFF;
    }

    /** With what must be zero above it. */
    static int lane(MemorySegment source, long at) {
        return source.get(U32, at) >>> 8;
    }

    static int value(MemorySegment source, long at) {
        return source.get(U32, at + 4);
    }
}
