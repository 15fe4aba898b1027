package io.nexar.collective;

import io.nexar.DataType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory for so many elements, somewhere inside a bigger piece whose other bytes must not change;
 * on the heap or off it.
 */
final class TestMemory {
    private static final byte GUARD = 0x5A;
    private static final int GUARD_ELEMENTS = 5;

    private final MemorySegment whole;
    private final MemorySegment part;

    TestMemory(DataType type, long elements, int offset, boolean isOffHeap) {
        long bytes = (offset + elements + GUARD_ELEMENTS) * type.bytes();
        whole = isOffHeap ? Arena.ofAuto().allocate(bytes, 8) : onHeap(type, (int) bytes);
        whole.fill(GUARD);
        part = whole.asSlice((long) offset * type.bytes(), elements * type.bytes());
    }

    private static MemorySegment onHeap(DataType type, int bytes) {
        return switch (type) {
            case F32 -> MemorySegment.ofArray(new float[bytes / 4]);
            case F64 -> MemorySegment.ofArray(new double[bytes / 8]);
            case I32 -> MemorySegment.ofArray(new int[bytes / 4]);
            case I64 -> MemorySegment.ofArray(new long[bytes / 8]);
            default -> throw new IllegalArgumentException("no test memory for " + type);
        };
    }

    MemorySegment segment() {
        return part;
    }

    byte[] bytes() {
        return part.toArray(ValueLayout.JAVA_BYTE);
    }

    boolean areGuardsUntouched() {
        long start = part.address() - whole.address();
        for (long i = 0; i < whole.byteSize(); i++) {
            boolean isInside = i >= start && i < start + part.byteSize();
            if (!isInside && whole.get(ValueLayout.JAVA_BYTE, i) != GUARD) {
                return false;
            }
        }
        return true;
    }

    /** Elements as exact numbers: integers of every type, and floats that are small integers. */
    static void set(MemorySegment segment, DataType type, long index, long value) {
        switch (type) {
            case F32 -> segment.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) value);
            case F64 -> segment.setAtIndex(ValueLayout.JAVA_DOUBLE, index, (double) value);
            case I32 -> segment.setAtIndex(ValueLayout.JAVA_INT, index, (int) value);
            case I64 -> segment.setAtIndex(ValueLayout.JAVA_LONG, index, value);
            default -> throw new IllegalArgumentException("no test element of " + type);
        }
    }

    static double get(MemorySegment segment, DataType type, long index) {
        return switch (type) {
            case F32 -> segment.getAtIndex(ValueLayout.JAVA_FLOAT, index);
            case F64 -> segment.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
            case I32 -> segment.getAtIndex(ValueLayout.JAVA_INT, index);
            case I64 -> segment.getAtIndex(ValueLayout.JAVA_LONG, index);
            default -> throw new IllegalArgumentException("no test element of " + type);
        };
    }
}
