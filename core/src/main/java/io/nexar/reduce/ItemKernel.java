package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.ItemCombiner;

import java.lang.foreign.MemorySegment;

/**
 * A user's operation over items of several elements: one call for all items there are.
 *
 * <p>Its author writes plain code over elements, which wants them aligned. Bytes that have just
 * arrived lie anywhere, so operands that are not aligned are copied first.
 */
record ItemKernel(ItemCombiner combiner, int itemWidth, DataType type) implements Kernel {

    @Override
    public void reduce(
            MemorySegment left,
            long leftOffset,
            MemorySegment right,
            long rightOffset,
            MemorySegment target,
            long targetOffset,
            long items) {
        if (items == 0) {
            return;
        }
        long bytes = Math.multiplyExact(items, (long) itemWidth * type.bytes());
        MemorySegment to = target.asSlice(targetOffset, bytes);
        boolean isDirect = isAligned(to);
        MemorySegment result = isDirect ? to : aligned(bytes);
        combiner.combine(
                operand(left.asSlice(leftOffset, bytes)),
                operand(right.asSlice(rightOffset, bytes)),
                result,
                items);
        if (!isDirect) {
            to.copyFrom(result);
        }
    }

    /** Read-only: an operand may be the caller's send buffer. */
    private MemorySegment operand(MemorySegment memory) {
        return (isAligned(memory) ? memory : aligned(memory.byteSize()).copyFrom(memory))
                .asReadOnly();
    }

    private boolean isAligned(MemorySegment memory) {
        return memory.maxByteAlignment() >= type.alignmentBytes();
    }

    private static MemorySegment aligned(long bytes) {
        int longs = Math.toIntExact((bytes + Long.BYTES - 1) / Long.BYTES);
        return MemorySegment.ofArray(new long[longs]).asSlice(0, bytes);
    }
}
