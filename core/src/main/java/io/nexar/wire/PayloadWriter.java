package io.nexar.wire;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

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
        byte[] bytes = Utf8.cut(text, bytesMax);
        buffer.putShort((short) bytes.length).put(bytes);
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
