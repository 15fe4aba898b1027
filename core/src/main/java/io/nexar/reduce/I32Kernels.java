package io.nexar.reduce;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Kernels of {@code int}: sums wrap. Each has a loop of its own, so that the compiler sees one
 * operation in it.
 */
final class I32Kernels {
    private static final ValueLayout.OfInt VALUE = ValueLayout.JAVA_INT_UNALIGNED;
    private static final int BYTES = Integer.BYTES;

    private I32Kernels() {}

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
                int a = left.get(VALUE, leftOffset + at);
                int b = right.get(VALUE, rightOffset + at);
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
                int a = left.get(VALUE, leftOffset + at);
                int b = right.get(VALUE, rightOffset + at);
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
                int a = left.get(VALUE, leftOffset + at);
                int b = right.get(VALUE, rightOffset + at);
                target.set(VALUE, targetOffset + at, Math.max(a, b));
            }
        }
    }

    /** A sum, divided at the end, truncated toward zero. */
    static final class Average extends Sum {
        @Override
        public void scale(MemorySegment target, long offset, long items, int worldSize) {
            for (long at = offset, end = offset + items * BYTES; at < end; at += BYTES) {
                int sum = target.get(VALUE, at);
                target.set(VALUE, at, sum / worldSize);
            }
        }
    }
}
