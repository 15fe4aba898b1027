package io.nexar.reduce;

import io.nexar.DataType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Vectors of floating point numbers as F32, and back: for what computes in F32 only. */
public final class Floats {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    private Floats() {}

    /**
     * Writes the numbers as F32: halves exactly, F64 to the nearest.
     *
     * @param from F64, F16 or BF16
     * @param to as many elements of F32
     */
    public static void toF32(MemorySegment from, DataType type, MemorySegment to) {
        long count = to.byteSize() / Float.BYTES;
        for (long i = 0; i < count; i++) {
            to.set(FLOAT, i * Float.BYTES, take(from, type, i));
        }
    }

    private static float take(MemorySegment from, DataType type, long index) {
        return switch (type) {
            case F64 -> (float) from.get(DOUBLE, index * Double.BYTES);
            case F16 -> HalfFloats.f16ToFloat(from.get(SHORT, index * Short.BYTES));
            case BF16 -> HalfFloats.bf16ToFloat(from.get(SHORT, index * Short.BYTES));
            default -> throw new IllegalArgumentException(type + " is not converted to F32");
        };
    }

    /**
     * Writes numbers of F32 as this type: F64 exactly, halves to the nearest.
     *
     * @param to as many elements of F64, F16 or BF16
     */
    public static void ofF32(MemorySegment from, MemorySegment to, DataType type) {
        long count = from.byteSize() / Float.BYTES;
        for (long i = 0; i < count; i++) {
            put(from.get(FLOAT, i * Float.BYTES), to, type, i);
        }
    }

    private static void put(float value, MemorySegment to, DataType type, long index) {
        switch (type) {
            case F64 -> to.set(DOUBLE, index * Double.BYTES, value);
            case F16 -> to.set(SHORT, index * Short.BYTES, HalfFloats.floatToF16(value));
            case BF16 -> to.set(SHORT, index * Short.BYTES, HalfFloats.floatToBf16(value));
            default -> throw new IllegalArgumentException("F32 is not converted to " + type);
        }
    }
}
