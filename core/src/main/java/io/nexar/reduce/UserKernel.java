package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.UserReduceOp;

import java.lang.foreign.MemorySegment;

/**
 * A user's operation: runs the kernel that its function makes, and says whose fault it is when that
 * throws.
 */
record UserKernel(String name, Kernel kernel) implements Kernel {

    static Kernel of(UserReduceOp op, DataType type) {
        return new UserKernel(op.name(), kernel(op.function(), type));
    }

    private static Kernel kernel(UserReduceOp.Function function, DataType type) {
        return switch (function) {
            case UserReduceOp.Function.Doubles doubles ->
                    type == DataType.F64
                            ? DoubleKernel.of(doubles.operator())
                            : FloatOperations.of(doubles.operator(), type);
            case UserReduceOp.Function.Longs longs ->
                    type == DataType.I64 || type == DataType.U64
                            ? LongOperations.of(longs.operator(), type)
                            : IntOperations.of(longs.operator(), type);
            case UserReduceOp.Function.Items items ->
                    new ItemKernel(items.combiner(), items.itemWidth(), type);
        };
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
        try {
            kernel.reduce(left, leftOffset, right, rightOffset, target, targetOffset, items);
        } catch (RuntimeException | Error failure) {
            if (isOpen(left) && isOpen(right) && isOpen(target)) {
                throw new FailedOperation(name, failure);
            }
            throw failure;
        }
    }

    private static boolean isOpen(MemorySegment memory) {
        return memory.scope().isAlive();
    }
}
