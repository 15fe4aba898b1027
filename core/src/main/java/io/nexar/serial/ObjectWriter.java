package io.nexar.serial;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes of one object as they come: little-endian, in an array that grows. */
final class ObjectWriter {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** What every JVM can allocate. */
    private static final int BYTES_MAX = Integer.MAX_VALUE - 8;

    private final Depth depth = new Depth();
    private byte[] bytes = new byte[128];
    private int length;

    Depth depth() {
        return depth;
    }

    void putByte(int value) {
        int at = reserve(1);
        bytes[at] = (byte) value;
    }

    void putShort(int value) {
        int at = reserve(Short.BYTES);
        MemorySegment.ofArray(bytes).set(SHORT, at, (short) value);
    }

    void putInt(int value) {
        int at = reserve(Integer.BYTES);
        MemorySegment.ofArray(bytes).set(INT, at, value);
    }

    void putLong(long value) {
        int at = reserve(Long.BYTES);
        MemorySegment.ofArray(bytes).set(LONG, at, value);
    }

    void putBytes(byte[] value) {
        int at = reserve(value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
    }

    /** The elements of an array of primitives. */
    void putArray(Object array, int elements, ValueLayout layout) {
        int at = reserve(elements * layout.byteSize());
        MemorySegment.copy(array, 0, MemorySegment.ofArray(bytes), layout, at, elements);
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private int reserve(long more) {
        if (more > BYTES_MAX - length) {
            throw new IllegalArgumentException("an object of more than 2 GiB");
        }
        int at = length;
        length += (int) more;
        if (length > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(BYTES_MAX, Math.max(length, 2L * at)));
        }
        return at;
    }
}
