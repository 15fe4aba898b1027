package io.nexar.serial;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bytes of one object, of which nothing is believed before it is checked: no length leads to more
 * memory than the bytes that are left can fill.
 */
final class ObjectReader {
    private final Depth depth = new Depth();
    private final ByteBuffer bytes;

    ObjectReader(ByteBuffer bytes) {
        this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    Depth depth() {
        return depth;
    }

    byte getByte() {
        require(1);
        return bytes.get();
    }

    short getShort() {
        require(Short.BYTES);
        return bytes.getShort();
    }

    int getInt() {
        require(Integer.BYTES);
        return bytes.getInt();
    }

    long getLong() {
        require(Long.BYTES);
        return bytes.getLong();
    }

    boolean getBoolean() {
        byte value = getByte();
        if (value != 0 && value != 1) {
            throw fault("%d where 0 or 1 must be".formatted(value));
        }
        return value == 1;
    }

    byte[] getBytes(int length) {
        require(length);
        byte[] value = new byte[length];
        bytes.get(value);
        return value;
    }

    /** A number of elements that the bytes left can hold, if each takes at least so many. */
    int getCount(int elementBytes) {
        int count = getInt();
        if (count < 0 || count > bytes.remaining() / elementBytes) {
            throw fault(
                    "%s elements where %d bytes are left"
                            .formatted(Integer.toUnsignedString(count), bytes.remaining()));
        }
        return count;
    }

    /** Fills an array of primitives, whose length {@link #getCount} has checked. */
    void fillArray(Object array, int elements, ValueLayout layout) {
        int length = (int) (elements * layout.byteSize());
        require(length);
        MemorySegment source = MemorySegment.ofBuffer(bytes);
        MemorySegment.copy(source, layout, 0, array, 0, elements);
        bytes.position(bytes.position() + length);
    }

    void requireEnd() {
        if (bytes.hasRemaining()) {
            throw fault("%d bytes too many".formatted(bytes.remaining()));
        }
    }

    IllegalArgumentException fault(String problem) {
        return new IllegalArgumentException("at byte %d: %s".formatted(bytes.position(), problem));
    }

    private void require(int length) {
        if (bytes.remaining() < length) {
            throw fault("%d bytes wanted where %d are left".formatted(length, bytes.remaining()));
        }
    }
}
