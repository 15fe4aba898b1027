package io.nexar.reduce;

import java.lang.foreign.MemorySegment;

/**
 * Combines items of one type with one operation. Kernels have no state: one serves all threads.
 *
 * <p>Offsets are in bytes and need no alignment. Memory may be a heap array's or off-heap, mixed as
 * it comes. An item is {@link io.nexar.ReduceOp#itemWidth} elements.
 */
public interface Kernel {
    /**
     * Puts {@code left op right} into the target, item by item in ascending order. The target may
     * be exactly the left or the right memory; any other overlap gives an undefined result.
     */
    void reduce(
            MemorySegment left,
            long leftOffset,
            MemorySegment right,
            long rightOffset,
            MemorySegment target,
            long targetOffset,
            long items);

    /**
     * Finishes a reduction over {@code worldSize} ranks in place, once all operands are in: AVG
     * divides here. Every other operation is finished already.
     */
    default void scale(MemorySegment target, long offset, long items, int worldSize) {}
}
