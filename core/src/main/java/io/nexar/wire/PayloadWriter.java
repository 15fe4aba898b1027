package io.nexar.wire;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes the fields of a payload one after the other, little-endian; texts are cut to fit. */
final class PayloadWriter {
    private final ByteBuffer buffer;

    PayloadWriter(int bytesMax) {
        buffer = ByteBuffer.allocate(bytesMax).order(ByteOrder.LITTLE_ENDIAN);
    }

    PayloadWriter u8(int value) {
        buffer.put((byte) value);
        return this;
    }

    PayloadWriter i32(int value) {
        buffer.putInt(value);
        return this;
    }

    PayloadWriter i64(long value) {
        buffer.putLong(value);
        return this;
    }

    /** At most {@code bytesMax} bytes of UTF-8, cut between characters, after their number. */
    PayloadWriter text(String text, int bytesMax) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, bytesMax);
        while (length < bytes.length && length > 0 && (bytes[length] & 0xC0) == 0x80) {
            length--;
        }
        buffer.putShort((short) length).put(bytes, 0, length);
        return this;
    }

    PayloadWriter optionalText(@Nullable String text, int bytesMax) {
        u8(text == null ? 0 : 1);
        return text == null ? this : text(text, bytesMax);
    }

    MemorySegment payload() {
        return MemorySegment.ofArray(buffer.array()).asSlice(0, buffer.position());
    }
}
