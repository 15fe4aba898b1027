package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;

import org.jspecify.annotations.Nullable;

/**
 * A collective that has passed its checks.
 *
 * @param input what the plan calls INPUT; null if it has none on this rank
 * @param output what the plan calls OUTPUT; null if it has none on this rank
 * @param count elements of the whole vector
 * @param shares elements of each share, where they are not as even as can be
 */
record CollectiveSpec(
        Operation operation,
        int root,
        @Nullable DataBuffer input,
        @Nullable DataBuffer output,
        long count,
        @Nullable ReduceOp reduction,
        long @Nullable [] shares) {

    static CollectiveSpec barrier() {
        return new CollectiveSpec(Operation.BARRIER, 0, null, null, 0, null, null);
    }

    /** A buffer that shows the element type; null where there are no elements. */
    @Nullable DataBuffer typed() {
        return input != null ? input : output;
    }
}
