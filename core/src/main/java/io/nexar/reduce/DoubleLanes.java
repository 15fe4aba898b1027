package io.nexar.reduce;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One block of F64. As {@link FloatLanes} in everything: scratch memory of a thread, and the rule
 * which NaN comes out.
 */
final class DoubleLanes {
    private static final ThreadLocal<DoubleLanes> OF_THREAD =
            ThreadLocal.withInitial(DoubleLanes::new);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    private static final long INFINITY = 0x7FF0_0000_0000_0000L;
    private static final long CANONICAL = 0x7FF8_0000_0000_0000L;

    final double[] left = new double[IntLanes.BLOCK];
    final double[] right = new double[IntLanes.BLOCK];
    final double[] result = new double[IntLanes.BLOCK];
    private final MemorySegment resultMemory = MemorySegment.ofArray(result);
    private final long[] bits = new long[IntLanes.BLOCK];

    private DoubleLanes() {}

    static DoubleLanes ofThread() {
        return OF_THREAD.get();
    }

    void load(MemorySegment from, long offset, double[] lanes, int count) {
        MemorySegment.copy(from, DOUBLE, offset, lanes, 0, count);
    }

    /** Puts the result's NaNs right and stores it. */
    void storeResult(MemorySegment to, long offset, int count) {
        MemorySegment.copy(resultMemory, LONG, 0, bits, 0, count);
        if (hasNan(bits, count)) {
            settleNans(count);
        }
        MemorySegment.copy(bits, 0, to, LONG, offset, count);
    }

    private static boolean hasNan(long[] bits, int count) {
        long anyNegative = 0;
        for (int i = 0; i < count; i++) {
            anyNegative |= INFINITY - (bits[i] & Long.MAX_VALUE);
        }
        return anyNegative < 0;
    }

    private void settleNans(int count) {
        for (int i = 0; i < count; i++) {
            if (Double.isNaN(result[i])) {
                bits[i] = nanOf(i);
            }
        }
    }

    private long nanOf(int i) {
        if (Double.isNaN(left[i])) {
            return Double.doubleToRawLongBits(left[i]);
        }
        return Double.isNaN(right[i]) ? Double.doubleToRawLongBits(right[i]) : CANONICAL;
    }
}
