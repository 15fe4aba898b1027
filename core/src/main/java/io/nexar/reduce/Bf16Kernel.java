package io.nexar.reduce;

import java.lang.foreign.MemorySegment;

/**
 * Kernels of BF16: block by block and part by part (see {@link Words}), both operands become {@code
 * float} lanes, one loop over arrays combines them, and the result is rounded to nearest even.
 *
 * @param combine the operation, as a loop of its own
 * @param isAverage whether {@link #scale} divides
 */
record Bf16Kernel(FloatKernel.Combine combine, boolean isAverage) implements Kernel {
    private static final int PARTS = FloatLanes.PARTS;

    private static final int BLOCK = PARTS * IntLanes.BLOCK;

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
        for (long done = 0; done < items; done += BLOCK) {
            int elements = (int) Math.min(BLOCK, items - done);
            int bytes = elements * Short.BYTES;
            long at = done * Short.BYTES;
            lanes.left.words.load(left, leftOffset + at, bytes);
            lanes.right.words.load(right, rightOffset + at, bytes);
            for (int part = 0; part < PARTS; part++) {
                int count = Words.count(elements, part, Short.SIZE);
                lanes.takeBf16(lanes.left, part, count);
                lanes.takeBf16(lanes.right, part, count);
                combine.apply(lanes.left.lanes, lanes.right.lanes, lanes.result, count);
                lanes.putBf16(lanes.left.words, part, count);
            }
            lanes.left.words.store(target, targetOffset + at, bytes);
        }
    }

    @Override
    public void combine(Operands operands, MemorySegment target, long targetOffset, long items) {
        FloatLanes lanes = FloatLanes.ofThread();
        float[] partial = lanes.left.lanes;
        for (long done = 0; done < items; done += BLOCK) {
            int elements = (int) Math.min(BLOCK, items - done);
            int bytes = elements * Short.BYTES;
            long at = done * Short.BYTES;
            for (int part = 0; part < PARTS; part++) {
                int count = Words.count(elements, part, Short.SIZE);
                lanes.left.words.load(operands.memory(0), operands.offset(0) + at, bytes);
                lanes.takeBf16(lanes.left, part, count);
                for (int i = 1; i < operands.count(); i++) {
                    lanes.right.words.load(operands.memory(i), operands.offset(i) + at, bytes);
                    lanes.takeBf16(lanes.right, part, count);
                    combine.apply(partial, lanes.right.lanes, partial, count);
                }
                lanes.putBf16(operands, done, lanes.sums, part, count);
            }
            lanes.sums.store(target, targetOffset + at, bytes);
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
        for (long done = 0; done < items; done += BLOCK) {
            int elements = (int) Math.min(BLOCK, items - done);
            int bytes = elements * Short.BYTES;
            long at = offset + done * Short.BYTES;
            lanes.left.words.load(target, at, bytes);
            for (int part = 0; part < PARTS; part++) {
                int count = Words.count(elements, part, Short.SIZE);
                lanes.takeBf16(lanes.left, part, count);
                FloatOperations.divide(lanes.left.lanes, worldSize, lanes.result, count);
                // A quotient is NaN only if its left operand was, whose bits it then keeps.
                lanes.putBf16(lanes.left.words, part, count);
            }
            lanes.left.words.store(target, at, bytes);
        }
    }
}
