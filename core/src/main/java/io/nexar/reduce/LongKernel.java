package io.nexar.reduce;

import io.nexar.DataType;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Kernels of I64 and U64: block by block, both operands become {@code long} lanes, and one loop
 * over arrays combines them.
 *
 * @param combine the operation, as a loop of its own
 * @param finish what {@link #scale} does; null for nothing
 */
record LongKernel(DataType type, Combine combine, @Nullable Finish finish) implements Kernel {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /** Puts {@code left op right} into {@code left}, for the first {@code count} lanes. */
    @FunctionalInterface
    interface Combine {
        void apply(long[] left, long[] right, int count);
    }

    /** Finishes the first {@code count} lanes in place. */
    @FunctionalInterface
    interface Finish {
        void apply(long[] lanes, int count, int worldSize);
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
        for (long done = 0; done < items; done += IntLanes.BLOCK) {
            int count = (int) Math.min(IntLanes.BLOCK, items - done);
            long at = done * Long.BYTES;
            MemorySegment.copy(left, LONG, leftOffset + at, lanes.left, 0, count);
            MemorySegment.copy(right, LONG, rightOffset + at, lanes.right, 0, count);
            combine.apply(lanes.left, lanes.right, count);
            MemorySegment.copy(lanes.left, 0, target, LONG, targetOffset + at, count);
        }
    }

    @Override
    public boolean finishes() {
        return finish != null;
    }

    @Override
    public void scale(MemorySegment target, long offset, long items, int worldSize) {
        if (finish == null) {
            return;
        }
        LongLanes lanes = LongLanes.ofThread();
        for (long done = 0; done < items; done += IntLanes.BLOCK) {
            int count = (int) Math.min(IntLanes.BLOCK, items - done);
            long at = offset + done * Long.BYTES;
            MemorySegment.copy(target, LONG, at, lanes.left, 0, count);
            finish.apply(lanes.left, count, worldSize);
            MemorySegment.copy(lanes.left, 0, target, LONG, at, count);
        }
    }
}
