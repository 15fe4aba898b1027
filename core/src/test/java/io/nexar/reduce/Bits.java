package io.nexar.reduce;

import io.nexar.DataType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** Elements of any type as bits in memory of any kind: for oracles. */
public final class Bits {
    private Bits() {}

    /** Zeroed memory of whole elements, in an array of the type or as wide, or off the heap. */
    public static MemorySegment memory(DataType type, long bytes, boolean isOffHeap) {
        if (isOffHeap) {
            return Arena.ofAuto().allocate(bytes, Long.BYTES);
        }
        int size = Math.toIntExact(bytes);
        if (type == DataType.F32) {
            return MemorySegment.ofArray(new float[size / 4]);
        } else if (type == DataType.F64) {
            return MemorySegment.ofArray(new double[size / 8]);
        }
        return switch (type.alignmentBytes()) {
            case 1 -> MemorySegment.ofArray(new byte[size]);
            case 2 -> MemorySegment.ofArray(new short[size / 2]);
            case 4 -> MemorySegment.ofArray(new int[size / 4]);
            default -> MemorySegment.ofArray(new long[size / 8]);
        };
    }

    /** Writes an element that is no pair. */
    public static void put(MemorySegment memory, DataType type, long at, long bits) {
        switch (type.bytes()) {
            case 1 -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
            case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) bits);
            case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
            default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
        }
    }

    /** Reads an element that is no pair. */
    public static long take(MemorySegment memory, DataType type, long at) {
        long bits =
                switch (type.bytes()) {
                    case 1 -> memory.get(ValueLayout.JAVA_BYTE, at);
                    case 2 -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
                    case 4 -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
                    default -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
                };
        return Arithmetic.cut(type, bits);
    }

    /** Bits of every kind: zeros of both signs, infinities, NaNs with payloads, extremes, any. */
    public static long wild(DataType type, Random random) {
        long bits = random.nextLong();
        if (type.isFloatingPoint()) {
            ExactFloat format = Arithmetic.format(type);
            long sign = bits & format.sign();
            bits =
                    switch (random.nextInt(8)) {
                        case 0 -> sign;
                        case 1 -> sign | format.infinity();
                        case 2 -> sign | format.infinity() | 1 + random.nextInt(100);
                        case 3 -> sign | format.canonicalNan();
                        case 4 -> sign | random.nextInt(4);
                        case 5 -> sign | format.infinity() - 1;
                        default -> bits;
                    };
        } else {
            long smallest = -1L << (type.bytes() * 8 - 1);
            bits =
                    switch (random.nextInt(8)) {
                        case 0 -> 0;
                        case 1 -> -1;
                        case 2 -> smallest;
                        case 3 -> ~smallest;
                        case 4 -> 1;
                        default -> bits;
                    };
        }
        return Arithmetic.cut(type, bits);
    }
}
