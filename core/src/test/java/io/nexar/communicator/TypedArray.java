package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.DataType;

import java.lang.reflect.Array;

/**
 * A Java array seen as numbers, with guard elements around the part that a buffer shows: for
 * oracles that use nothing of the library's arithmetic.
 */
final class TypedArray {
    private static final int GUARDS_BEHIND = 5;
    private static final long GUARD = 7_777_777;

    private final DataType type;
    private final Object array;
    private final int offset;
    private final int count;

    TypedArray(DataType type, int offset, int count) {
        this.type = type;
        this.offset = offset;
        this.count = count;
        this.array = Array.newInstance(component(type), offset + count + GUARDS_BEHIND);
        for (int i = 0; i < Array.getLength(array); i++) {
            put(i, GUARD + i);
        }
    }

    DataBuffer buffer() {
        return switch (type) {
            case F32 -> DataBuffer.of((float[]) array, offset, count);
            case F64 -> DataBuffer.of((double[]) array, offset, count);
            case I32 -> DataBuffer.of((int[]) array, offset, count);
            case I64 -> DataBuffer.of((long[]) array, offset, count);
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    void set(int index, long value) {
        put(offset + index, value);
    }

    /** A Float, Double, Integer or Long. */
    Object get(int index) {
        return Array.get(array, offset + index);
    }

    int count() {
        return count;
    }

    boolean areGuardsWhole() {
        for (int i = 0; i < Array.getLength(array); i++) {
            boolean isGuard = i < offset || i >= offset + count;
            if (isGuard && !Array.get(array, i).equals(boxed(GUARD + i))) {
                return false;
            }
        }
        return true;
    }

    private void put(int at, long value) {
        Array.set(array, at, boxed(value));
    }

    private Object boxed(long value) {
        return box(type, value);
    }

    static Object box(DataType type, long value) {
        return switch (type) {
            case F32 -> (float) value;
            case F64 -> (double) value;
            case I32 -> (int) value;
            case I64 -> value;
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    private static Class<?> component(DataType type) {
        return switch (type) {
            case F32 -> float.class;
            case F64 -> double.class;
            case I32 -> int.class;
            case I64 -> long.class;
            default -> throw new IllegalArgumentException(type.toString());
        };
    }
}
