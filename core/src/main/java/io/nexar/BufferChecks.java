package io.nexar;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The rules that memory must keep to become a {@link DataBuffer}; sizes are computed as longs. */
final class BufferChecks {

    /**
     * A thread that is never started. Memory that is open to this one and to the caller is open to
     * all: a confined arena has one owner.
     */
    private static final Thread NOBODY =
            Thread.ofVirtual().inheritInheritableThreadLocals(false).unstarted(() -> {});

    private BufferChecks() {}

    static DataBuffer ofArray(
            MemorySegment array, DataType natural, DataType type, int offset, int count) {
        if (type.bytes() != natural.bytes() || !isOfFamily(natural, type)) {
            throw new IllegalArgumentException(
                    "type " + type + ": not of the width and family of an array of " + natural);
        }
        range(offset, count, array.byteSize() / natural.bytes());
        long width = natural.bytes();
        return DataBuffer.of(array.asSlice(offset * width, count * width), type);
    }

    /** Bits of half floats have no array of their own: they lie in shorts. */
    private static boolean isOfFamily(DataType natural, DataType type) {
        if (type.isPair()) {
            return false;
        }
        return natural.isInteger()
                ? type.isInteger() || type == DataType.F16 || type == DataType.BF16
                : type.isFloatingPoint();
    }

    static void range(long offset, long count, long length) {
        if (offset < 0 || count < 0 || offset > length - count) {
            throw new IllegalArgumentException(
                    "offset "
                            + offset
                            + ", count "
                            + count
                            + ": not within "
                            + length
                            + " elements");
        }
    }

    static long byteSize(DataType type, long count) {
        if (count < 0 || count > Long.MAX_VALUE / type.bytes()) {
            throw new IllegalArgumentException(
                    "count "
                            + count
                            + " of "
                            + type
                            + ": must be 0 or more and its bytes fit a long");
        }
        return count * type.bytes();
    }

    static void usable(MemorySegment memory, DataType type) {
        if (!memory.scope().isAlive()) {
            throw new IllegalArgumentException("memory " + memory + ": its arena is closed");
        }
        if (!memory.isAccessibleBy(NOBODY)) {
            throw new IllegalArgumentException(
                    "memory "
                            + memory
                            + ": only one thread may touch it (confined arena); use a shared or"
                            + " automatic arena");
        }
        if (memory.byteSize() % type.bytes() != 0) {
            throw new IllegalArgumentException(
                    "memory of "
                            + memory.byteSize()
                            + " bytes: no whole number of "
                            + type
                            + " ("
                            + type.bytes()
                            + " bytes)");
        }
        if (memory.maxByteAlignment() < type.alignmentBytes()) {
            throw new IllegalArgumentException(
                    "memory "
                            + memory
                            + ": aligned to "
                            + memory.maxByteAlignment()
                            + " bytes, "
                            + type
                            + " wants "
                            + type.alignmentBytes());
        }
    }

    static void nativeOrder(ByteBuffer memory, DataType type) {
        if (type.bytes() > 1 && memory.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException(
                    "buffer in "
                            + memory.order()
                            + " order: "
                            + type
                            + " must be in the machine's, "
                            + ByteOrder.nativeOrder()
                            + "; call order(ByteOrder.nativeOrder())");
        }
    }
}
