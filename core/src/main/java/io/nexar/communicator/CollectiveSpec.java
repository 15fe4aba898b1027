package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;

import org.jspecify.annotations.Nullable;

/**
 * A collective that has passed its checks.
 *
 * @param name what the caller called
 * @param input what the plan calls INPUT; null if it has none on this rank
 * @param output what the plan calls OUTPUT; null if it has none on this rank
 * @param count elements of the whole vector
 * @param shares elements of each share, where they are not as even as can be
 */
record CollectiveSpec(
        String name,
        Operation operation,
        int root,
        @Nullable DataBuffer input,
        @Nullable DataBuffer output,
        long count,
        @Nullable ReduceOp reduction,
        long @Nullable [] shares) {

    CollectiveSpec(
            Operation operation,
            int root,
            @Nullable DataBuffer input,
            @Nullable DataBuffer output,
            long count,
            @Nullable ReduceOp reduction,
            long @Nullable [] shares) {
        this(operation.methodName(), operation, root, input, output, count, reduction, shares);
    }

    /** The same as a part of something else, which is not taken for the operation itself. */
    CollectiveSpec calledAs(String newName) {
        return new CollectiveSpec(
                newName, operation, root, input, output, count, reduction, shares);
    }

    static CollectiveSpec barrier() {
        return new CollectiveSpec(Operation.BARRIER, 0, null, null, 0, null, null);
    }

    /** A buffer that shows the element type; null where there are no elements. */
    @Nullable DataBuffer typed() {
        return input != null ? input : output;
    }
}
