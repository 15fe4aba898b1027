package io.nexar.reduce;

import io.nexar.DataType;

import java.lang.foreign.MemorySegment;

/**
 * Kernels of F32 and F16: block by block, both operands become {@code float} lanes, one loop over
 * arrays combines them, and the result is rounded to nearest even as it is stored.
 *
 * @param combine the operation, as a loop of its own
 * @param isAverage whether {@link #scale} divides
 */
record FloatKernel(DataType type, Combine combine, boolean isAverage) implements Kernel {
    /** Puts {@code left op right} into {@code result}, for the first {@code count} lanes. */
    @FunctionalInterface
    interface Combine {
        void apply(float[] left, float[] right, float[] result, int count);
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
        FloatLanes lanes = FloatLanes.ofThread();
        for (long done = 0; done < items; done += IntLanes.BLOCK) {
            int count = (int) Math.min(IntLanes.BLOCK, items - done);
            long at = done * type.bytes();
            load(lanes, left, leftOffset + at, lanes.left, count);
            load(lanes, right, rightOffset + at, lanes.right, count);
            combine.apply(lanes.left.lanes, lanes.right.lanes, lanes.result, count);
            store(lanes, target, targetOffset + at, count);
        }
    }

    @Override
    public void combine(Operands operands, MemorySegment target, long targetOffset, long items) {
        if (type == DataType.F32) {
            Kernel.super.combine(operands, target, targetOffset, items);
            return;
        }
        FloatLanes lanes = FloatLanes.ofThread();
        float[] partial = lanes.left.lanes;
        for (long done = 0; done < items; done += IntLanes.BLOCK) {
            int count = (int) Math.min(IntLanes.BLOCK, items - done);
            long at = done * type.bytes();
            lanes.loadF16(operands.memory(0), operands.offset(0) + at, lanes.left, count);
            for (int i = 1; i < operands.count(); i++) {
                lanes.loadF16(operands.memory(i), operands.offset(i) + at, lanes.right, count);
                combine.apply(partial, lanes.right.lanes, partial, count);
            }
            lanes.storeF16(operands, done, target, targetOffset + at, count);
        }
    }

    @Override
    public boolean finishes() {
        return isAverage;
    }

    @Override
    public void scale(MemorySegment target, long offset, long items, int worldSize) {
        if (!isAverage) {
            return;
        }
        FloatLanes lanes = FloatLanes.ofThread();
        for (long done = 0; done < items; done += IntLanes.BLOCK) {
            int count = (int) Math.min(IntLanes.BLOCK, items - done);
            long at = offset + done * type.bytes();
            load(lanes, target, at, lanes.left, count);
            FloatOperations.divide(lanes.left.lanes, worldSize, lanes.result, count);
            // A quotient is NaN only if its left operand was, whose bits it then keeps.
            store(lanes, target, at, count);
        }
    }

    private void load(
            FloatLanes lanes,
            MemorySegment from,
            long offset,
            FloatLanes.Operand operand,
            int count) {
        if (type == DataType.F32) {
            lanes.loadF32(from, offset, operand, count);
        } else {
            lanes.loadF16(from, offset, operand, count);
        }
    }

    private void store(FloatLanes lanes, MemorySegment to, long offset, int count) {
        if (type == DataType.F32) {
            lanes.storeF32(to, offset, count);
        } else {
            lanes.storeF16(to, offset, count);
        }
    }
}
