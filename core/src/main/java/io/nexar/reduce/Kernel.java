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
     * Combines all operands, {@code ((0 op 1) op 2)...}, item by item. The target is apart from
     * them. Sums and products of halves are rounded once, at the end.
     *
     * @param operands two or more
     */
    default void combine(Operands operands, MemorySegment target, long targetOffset, long items) {
        MemorySegment left = operands.memory(0);
        long leftOffset = operands.offset(0);
        for (int i = 1; i < operands.count(); i++) {
            MemorySegment right = operands.memory(i);
            reduce(left, leftOffset, right, operands.offset(i), target, targetOffset, items);
            left = target;
            leftOffset = targetOffset;
        }
    }

    /**
     * Finishes a result in place, once all operands are in: AVG divides by {@code worldSize}, LAND
     * LOR LXOR make 0 or 1 of a value that may never have met another. Every other operation has
     * nothing to finish.
     */
    default void scale(MemorySegment target, long offset, long items, int worldSize) {}

    /** Whether {@link #scale} does anything. */
    default boolean finishes() {
        return false;
    }
}
