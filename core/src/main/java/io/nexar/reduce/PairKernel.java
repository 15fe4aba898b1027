package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * MINLOC and MAXLOC of the pair types. Of two pairs one wins and is stored as it is, bit by bit:
 * the one with the better value, among equal values the one with the smaller index, and where the
 * indices are equal too the left one.
 *
 * <p>Values are compared as {@code long} keys, which make one order of all types: the smaller key
 * wins. A key of a float orders as {@code Math.min} does (-0.0 below +0.0), and all NaNs have the
 * smallest one. MAXLOC turns the order of the others round.
 *
 * @param combine puts the winners into {@code left}
 * @param flip 0 for MINLOC; -1, which complements a key, for MAXLOC
 */
record PairKernel(DataType type, Combine combine, long flip) implements Kernel {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /** Below the keys of all numbers, the infinities among them. */
    private static final long NAN_KEY = Long.MIN_VALUE;

    /** How far the first and the second {@code int} of a {@code long} in memory are shifted. */
    private static final int FIRST =
            ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0 : Integer.SIZE;

    private static final int SECOND = Integer.SIZE - FIRST;

    /** Puts the winners of {@code count} pairs into {@code left}. */
    @FunctionalInterface
    interface Combine {
        void apply(long[] left, long[] right, int count, long flip);
    }

    static Kernel find(StandardReduceOp op, DataType type) {
        Combine combine =
                switch (type) {
                    case F32_I32 -> PairKernel::floats;
                    case F64_I64 -> PairKernel::doubles;
                    case I32_I32 -> PairKernel::ints;
                    case I64_I64 -> PairKernel::longs;
                    default -> throw new IllegalArgumentException(type + " is no pair");
                };
        return switch (op) {
            case MINLOC -> new PairKernel(type, combine, 0);
            case MAXLOC -> new PairKernel(type, combine, -1);
            default -> throw new IllegalArgumentException(op + " is not for pairs");
        };
    }

    @Override
    public void reduce(
            MemorySegment left,
            long leftOffset,
            MemorySegment right,
            long rightOffset,
            MemorySegment target,
            long targetOffset,
            long items) {
        LongLanes lanes = LongLanes.ofThread();
        int longsEach = type.bytes() / Long.BYTES;
        int block = IntLanes.BLOCK / longsEach;
        for (long done = 0; done < items; done += block) {
            int count = (int) Math.min(block, items - done);
            int longs = count * longsEach;
            long at = done * type.bytes();
            MemorySegment.copy(left, LONG, leftOffset + at, lanes.left, 0, longs);
            MemorySegment.copy(right, LONG, rightOffset + at, lanes.right, 0, longs);
            combine.apply(lanes.left, lanes.right, count, flip);
            MemorySegment.copy(lanes.left, 0, target, LONG, targetOffset + at, longs);
        }
    }

    private static void floats(long[] left, long[] right, int count, long flip) {
        for (int i = 0; i < count; i++) {
            long a = left[i];
            long b = right[i];
            long keyA = floatKey(value(a), flip);
            long keyB = floatKey(value(b), flip);
            left[i] = wins(keyA, index(a), keyB, index(b)) ? a : b;
        }
    }

    private static void ints(long[] left, long[] right, int count, long flip) {
        for (int i = 0; i < count; i++) {
            long a = left[i];
            long b = right[i];
            long keyA = value(a) ^ flip;
            long keyB = value(b) ^ flip;
            left[i] = wins(keyA, index(a), keyB, index(b)) ? a : b;
        }
    }

    private static void doubles(long[] left, long[] right, int count, long flip) {
        for (int i = 0; i < 2 * count; i += 2) {
            long keyA = doubleKey(left[i], flip);
            long keyB = doubleKey(right[i], flip);
            if (!wins(keyA, left[i + 1], keyB, right[i + 1])) {
                left[i] = right[i];
                left[i + 1] = right[i + 1];
            }
        }
    }

    private static void longs(long[] left, long[] right, int count, long flip) {
        for (int i = 0; i < 2 * count; i += 2) {
            if (!wins(left[i] ^ flip, left[i + 1], right[i] ^ flip, right[i + 1])) {
                left[i] = right[i];
                left[i + 1] = right[i + 1];
            }
        }
    }

    private static int value(long pair) {
        return (int) (pair >> FIRST);
    }

    private static int index(long pair) {
        return (int) (pair >> SECOND);
    }

    private static boolean wins(long key, long index, long otherKey, long otherIndex) {
        return key < otherKey || (key == otherKey && index <= otherIndex);
    }

    /** Of a negative number all bits but the sign are turned: the larger, the smaller. */
    private static long floatKey(int bits, long flip) {
        return Float.isNaN(Float.intBitsToFloat(bits))
                ? NAN_KEY
                : (bits ^ (bits >> 31 & Integer.MAX_VALUE)) ^ flip;
    }

    private static long doubleKey(long bits, long flip) {
        return Double.isNaN(Double.longBitsToDouble(bits))
                ? NAN_KEY
                : bits ^ (bits >> 63 & Long.MAX_VALUE) ^ flip;
    }
}
