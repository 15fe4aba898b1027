package io.nexar.wire;

import io.nexar.ProtocolException;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads the fields of a payload that a peer has sent. Too short, too long, out of range: a {@link
 * ProtocolException} that names the peer.
 */
final class PayloadReader {
    /** What a peer's text could do to a terminal or a log. */
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private final String peer;
    private final String what;
    private final ByteBuffer buffer;

    /**
     * @param what is read, for errors
     */
    PayloadReader(String peer, String what, MemorySegment payload) {
        this.peer = peer;
        this.what = what;
        this.buffer =
                ByteBuffer.wrap(payload.toArray(ValueLayout.JAVA_BYTE))
                        .order(ByteOrder.LITTLE_ENDIAN);
    }

    int u8() {
        return Byte.toUnsignedInt(read(buffer::get));
    }

    /** A number of at most {@code max}. */
    int u8(int max) {
        int value = u8();
        if (value > max) {
            throw broken("has %d where %d is the most".formatted(value, max));
        }
        return value;
    }

    int i32() {
        return read(buffer::getInt);
    }

    /** A number from {@code min} up to, but without, {@code end}. */
    int i32(int min, int end) {
        int value = i32();
        if (value < min || value >= end) {
            throw broken("has %d where %d to %d are possible".formatted(value, min, end - 1));
        }
        return value;
    }

    long i64() {
        return read(buffer::getLong);
    }

    String text(int bytesMax) {
        int length = Short.toUnsignedInt(read(buffer::getShort));
        if (length > bytesMax || length > buffer.remaining()) {
            throw broken("has a text of %d bytes; %d are the most".formatted(length, bytesMax));
        }
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return CONTROL.matcher(new String(bytes, StandardCharsets.UTF_8)).replaceAll(" ");
    }

    @Nullable String optionalText(int bytesMax) {
        return u8(1) == 0 ? null : text(bytesMax);
    }

    /** All must have been read. */
    void end() {
        if (buffer.hasRemaining()) {
            throw broken("has %d bytes too many".formatted(buffer.remaining()));
        }
    }

    ProtocolException broken(String rule) {
        return new ProtocolException(peer, what + " " + rule);
    }

    private <T> T read(Supplier<T> field) {
        try {
            return field.get();
        } catch (BufferUnderflowException e) {
            throw broken("ends too early");
        }
    }
}
