package io.nexar.reduce;

import io.nexar.DataType;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Kernels of I32 and U32: block by block, both operands become {@code int} lanes, and one loop over
 * arrays combines them.
 *
 * @param combine the operation, as a loop of its own
 * @param finish what {@link #scale} does; null for nothing
 */
record IntKernel(Combine combine, @Nullable Finish finish) implements Kernel {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    /** Puts {@code left op right} into {@code left}, for the first {@code count} lanes. */
    @FunctionalInterface
    interface Combine {
        void apply(int[] left, int[] right, int count);
    }

    /** Finishes the first {@code count} lanes in place. */
    @FunctionalInterface
    interface Finish {
        void apply(int[] lanes, int count, int worldSize);
    }

    /** The kernel of an integer type of up to 32 bits. */
    static Kernel of(DataType type, Combine combine, @Nullable Finish finish) {
        return type.bytes() == Integer.BYTES
                ? new IntKernel(combine, finish)
                : new SmallIntKernel(type.bytes() * Byte.SIZE, type.isUnsigned(), combine, finish);
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
        IntLanes lanes = IntLanes.ofThread();
        for (long done = 0; done < items; done += IntLanes.BLOCK) {
            int count = (int) Math.min(IntLanes.BLOCK, items - done);
            long at = done * Integer.BYTES;
            MemorySegment.copy(left, INT, leftOffset + at, lanes.left, 0, count);
            MemorySegment.copy(right, INT, rightOffset + at, lanes.right, 0, count);
            combine.apply(lanes.left, lanes.right, count);
            MemorySegment.copy(lanes.left, 0, target, INT, targetOffset + at, count);
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
        IntLanes lanes = IntLanes.ofThread();
        for (long done = 0; done < items; done += IntLanes.BLOCK) {
            int count = (int) Math.min(IntLanes.BLOCK, items - done);
            long at = offset + done * Integer.BYTES;
            MemorySegment.copy(target, INT, at, lanes.left, 0, count);
            finish.apply(lanes.left, count, worldSize);
            MemorySegment.copy(lanes.left, 0, target, INT, at, count);
        }
    }
}
