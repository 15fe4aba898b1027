package io.nexar.rendezvous;

import io.nexar.wire.Utf8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the fields of one join message: little-endian, texts and bytes behind a u16 length. */
final class JoinWriter {

    private ByteBuffer out = ByteBuffer.allocate(512).order(ByteOrder.LITTLE_ENDIAN);

    JoinWriter u8(int value) {
        room(1).put((byte) value);
        return this;
    }

    JoinWriter u16(int value) {
        room(2).putShort((short) value);
        return this;
    }

    JoinWriter i32(int value) {
        room(4).putInt(value);
        return this;
    }

    JoinWriter i64(long value) {
        room(8).putLong(value);
        return this;
    }

    JoinWriter bytes(byte[] value, int bytesMax, String what) {
        if (value.length > bytesMax) {
            throw new IllegalArgumentException(
                    what + " of " + value.length + " bytes is above " + bytesMax);
        }
        u16(value.length);
        room(value.length).put(value);
        return this;
    }

    JoinWriter text(String value, int bytesMax, String what) {
        return bytes(value.getBytes(StandardCharsets.UTF_8), bytesMax, what);
    }

    /** Cut, not refused, where too long: an error about an error helps nobody. */
    JoinWriter reason(String value) {
        return cut(value, JoinBounds.REASON_BYTES_MAX, "reason");
    }

    /** A text for people, of which the beginning is enough. */
    JoinWriter cut(String value, int bytesMax, String what) {
        return bytes(Utf8.cut(value, bytesMax), bytesMax, what);
    }

    /** The first {@code length} bytes of what another has written. */
    JoinWriter put(JoinWriter other, int length) {
        room(length).put(other.out.array(), 0, length);
        return this;
    }

    int position() {
        return out.position();
    }

    byte[] toBytes() {
        if (out.position() > JoinCodec.MESSAGE_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a join message of "
                            + out.position()
                            + " bytes is above "
                            + JoinCodec.MESSAGE_BYTES_MAX);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    private ByteBuffer room(int bytes) {
        if (out.remaining() < bytes) {
            int capacity = Math.max(out.capacity() * 2, out.position() + bytes);
            out = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(out.flip());
        }
        return out;
    }
}
