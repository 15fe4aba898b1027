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
     * Finishes a result in place, once all operands are in: AVG divides by {@code worldSize}, LAND
     * LOR LXOR make 0 or 1 of a value that may never have met another. Every other operation has
     * nothing to finish.
     */
    default void scale(MemorySegment target, long offset, long items, int worldSize) {}
}
