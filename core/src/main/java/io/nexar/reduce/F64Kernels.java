package io.nexar.reduce;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Kernels of {@code double}. Each has a loop of its own, so that the compiler sees one operation in
 * it.
 *
 * <p>Which NaN comes out must not depend on what the machine or the compiler make of it, else ranks
 * end with different bits: a NaN result has the bits of the left operand if that is a NaN, else
 * those of the right one, else (infinity minus infinity) the canonical ones.
 */
final class F64Kernels {
    private static final ValueLayout.OfDouble VALUE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    private static final ValueLayout.OfLong BITS = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long CANONICAL_NAN = 0x7ff8_0000_0000_0000L;
    private static final int BYTES = Double.BYTES;

    private F64Kernels() {}

    private static long nanBits(long left, long right) {
        if (isNan(left)) {
            return left;
        }
        return isNan(right) ? right : CANONICAL_NAN;
    }

    private static boolean isNan(long bits) {
        return Double.isNaN(Double.longBitsToDouble(bits));
    }

    /** a + b. */
    static class Sum implements Kernel {
        @Override
        public void reduce(
                MemorySegment left,
                long leftOffset,
                MemorySegment right,
                long rightOffset,
                MemorySegment target,
                long targetOffset,
                long items) {
            for (long at = 0, end = items * BYTES; at < end; at += BYTES) {
                double a = left.get(VALUE, leftOffset + at);
                double b = right.get(VALUE, rightOffset + at);
                double result = a + b;
                if (Double.isNaN(result)) {
                    long bits =
                            nanBits(
                                    left.get(BITS, leftOffset + at),
                                    right.get(BITS, rightOffset + at));
                    target.set(BITS, targetOffset + at, bits);
                } else {
                    target.set(VALUE, targetOffset + at, result);
                }
            }
        }
    }

    /** As Math.min. */
    static final class Min implements Kernel {
        @Override
        public void reduce(
                MemorySegment left,
                long leftOffset,
                MemorySegment right,
                long rightOffset,
                MemorySegment target,
                long targetOffset,
                long items) {
            for (long at = 0, end = items * BYTES; at < end; at += BYTES) {
                double a = left.get(VALUE, leftOffset + at);
                double b = right.get(VALUE, rightOffset + at);
                double result = Math.min(a, b);
                if (Double.isNaN(result)) {
                    long bits =
                            nanBits(
                                    left.get(BITS, leftOffset + at),
                                    right.get(BITS, rightOffset + at));
                    target.set(BITS, targetOffset + at, bits);
                } else {
                    target.set(VALUE, targetOffset + at, result);
                }
            }
        }
    }

    /** As Math.max. */
    static final class Max implements Kernel {
        @Override
        public void reduce(
                MemorySegment left,
                long leftOffset,
                MemorySegment right,
                long rightOffset,
                MemorySegment target,
                long targetOffset,
                long items) {
            for (long at = 0, end = items * BYTES; at < end; at += BYTES) {
                double a = left.get(VALUE, leftOffset + at);
                double b = right.get(VALUE, rightOffset + at);
                double result = Math.max(a, b);
                if (Double.isNaN(result)) {
                    long bits =
                            nanBits(
                                    left.get(BITS, leftOffset + at),
                                    right.get(BITS, rightOffset + at));
                    target.set(BITS, targetOffset + at, bits);
                } else {
                    target.set(VALUE, targetOffset + at, result);
                }
            }
        }
    }

    /** A sum, divided at the end; a NaN keeps its bits. */
    static final class Average extends Sum {
        @Override
        public void scale(MemorySegment target, long offset, long items, int worldSize) {
            for (long at = offset, end = offset + items * BYTES; at < end; at += BYTES) {
                double sum = target.get(VALUE, at);
                if (!Double.isNaN(sum)) {
                    target.set(VALUE, at, sum / worldSize);
                }
            }
        }
    }
}
