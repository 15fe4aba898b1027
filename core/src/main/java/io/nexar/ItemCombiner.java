package io.nexar;

import java.lang.foreign.MemorySegment;

/**
 * A reduction over items of several elements, see {@link ReduceOp#of}.
 *
 * <p>One call combines many items. It may be made from any of the runtime's threads and from
 * several at once, so it must not keep state. What it throws fails the operation on every rank.
 */
@FunctionalInterface
public interface ItemCombiner {

    /**
     * Writes {@code left op right} for each item to {@code result}. All three are aligned as the
     * type wants it; their addresses say nothing else.
     *
     * @param left the items of the lower ranks, read-only
     * @param right the items of the higher ranks, read-only
     * @param result where the results go; may be the same memory as one of the operands
     * @param items how many items each of the three holds, one after the other, in the machine's
     *     byte order; their bytes are items x item width x bytes of the type
     */
    void combine(MemorySegment left, MemorySegment right, MemorySegment result, long items);
}
