package io.nexar.reduce;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * Kernels of I8 I16 U8 U16: block by block and part by part (see {@link Words}), both operands
 * become {@code int} lanes, sign- or zero-extended; one loop over arrays combines them, and the low
 * bits are stored, which is what wrapping means.
 *
 * @param combine the operation, as a loop of its own
 * @param finish what {@link #scale} does; null for nothing
 */
record SmallIntKernel(
        int bits, boolean isUnsigned, IntKernel.Combine combine, IntKernel.@Nullable Finish finish)
        implements Kernel {

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
        int width = bits / Byte.SIZE;
        int block = block();
        for (long done = 0; done < items; done += block) {
            int elements = (int) Math.min(block, items - done);
            long at = done * width;
            lanes.leftWords.load(left, leftOffset + at, elements * width);
            lanes.rightWords.load(right, rightOffset + at, elements * width);
            for (int part = 0; part < Integer.SIZE / bits; part++) {
                int count = Words.count(elements, part, bits);
                take(lanes.leftWords, part, lanes.left, count);
                take(lanes.rightWords, part, lanes.right, count);
                combine.apply(lanes.left, lanes.right, count);
                lanes.leftWords.put(part, bits, lanes.left, count);
            }
            lanes.leftWords.store(target, targetOffset + at, elements * width);
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
        int width = bits / Byte.SIZE;
        int block = block();
        for (long done = 0; done < items; done += block) {
            int elements = (int) Math.min(block, items - done);
            long at = offset + done * width;
            lanes.leftWords.load(target, at, elements * width);
            for (int part = 0; part < Integer.SIZE / bits; part++) {
                int count = Words.count(elements, part, bits);
                take(lanes.leftWords, part, lanes.left, count);
                finish.apply(lanes.left, count, worldSize);
                lanes.leftWords.put(part, bits, lanes.left, count);
            }
            lanes.leftWords.store(target, at, elements * width);
        }
    }

    private int block() {
        return IntLanes.BLOCK * (Integer.SIZE / bits);
    }

    private void take(Words words, int part, int[] lanes, int count) {
        if (isUnsigned) {
            words.takeUnsigned(part, bits, lanes, count);
        } else {
            words.takeSigned(part, bits, lanes, count);
        }
    }
}
