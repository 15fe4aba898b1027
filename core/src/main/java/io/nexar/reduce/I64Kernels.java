package io.nexar.reduce;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Kernels of {@code long}: sums wrap. Each has a loop of its own, so that the compiler sees one
 * operation in it.
 */
final class I64Kernels {
    private static final ValueLayout.OfLong VALUE = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int BYTES = Long.BYTES;

    private I64Kernels() {}

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
                long a = left.get(VALUE, leftOffset + at);
                long b = right.get(VALUE, rightOffset + at);
                target.set(VALUE, targetOffset + at, a + b);
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
                long a = left.get(VALUE, leftOffset + at);
                long b = right.get(VALUE, rightOffset + at);
                target.set(VALUE, targetOffset + at, Math.min(a, b));
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
                long a = left.get(VALUE, leftOffset + at);
                long b = right.get(VALUE, rightOffset + at);
                target.set(VALUE, targetOffset + at, Math.max(a, b));
            }
        }
    }

    /** A sum, divided at the end, truncated toward zero. */
    static final class Average extends Sum {
        @Override
        public void scale(MemorySegment target, long offset, long items, int worldSize) {
            for (long at = offset, end = offset + items * BYTES; at < end; at += BYTES) {
                long sum = target.get(VALUE, at);
                target.set(VALUE, at, sum / worldSize);
            }
        }
    }
}
