package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import java.lang.foreign.MemorySegment;
import java.util.function.DoubleBinaryOperator;

/**
 * Kernels of F64: block by block, both operands are copied into arrays, and one loop over arrays
 * combines them.
 *
 * @param combine the operation, as a loop of its own
 * @param isAverage whether {@link #scale} divides
 */
record DoubleKernel(Combine combine, boolean isAverage) implements Kernel {
    /** Puts {@code left op right} into {@code result}, for the first {@code count} lanes. */
    @FunctionalInterface
    interface Combine {
        void apply(double[] left, double[] right, double[] result, int count);
    }

    static Kernel find(StandardReduceOp op) {
        return switch (op) {
            case SUM -> new DoubleKernel(DoubleKernel::sum, false);
            case PROD -> new DoubleKernel(DoubleKernel::product, false);
            case MIN -> new DoubleKernel(DoubleKernel::min, false);
            case MAX -> new DoubleKernel(DoubleKernel::max, false);
            case AVG -> new DoubleKernel(DoubleKernel::sum, true);
            default -> throw new IllegalArgumentException(op + " is not for " + DataType.F64);
        };
    }

    /** A user's operation. */
    static Kernel of(DoubleBinaryOperator op) {
        return new DoubleKernel(
                (left, right, result, count) -> {
                    for (int i = 0; i < count; i++) {
                        result[i] = op.applyAsDouble(left[i], right[i]);
                    }
                },
                false);
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
        DoubleLanes lanes = DoubleLanes.ofThread();
        for (long done = 0; done < items; done += IntLanes.BLOCK) {
            int count = (int) Math.min(IntLanes.BLOCK, items - done);
            long at = done * Double.BYTES;
            lanes.load(left, leftOffset + at, lanes.left, count);
            lanes.load(right, rightOffset + at, lanes.right, count);
            combine.apply(lanes.left, lanes.right, lanes.result, count);
            lanes.storeResult(target, targetOffset + at, count);
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
        DoubleLanes lanes = DoubleLanes.ofThread();
        for (long done = 0; done < items; done += IntLanes.BLOCK) {
            int count = (int) Math.min(IntLanes.BLOCK, items - done);
            long at = offset + done * Double.BYTES;
            lanes.load(target, at, lanes.left, count);
            divide(lanes.left, worldSize, lanes.result, count);
            // A quotient is NaN only if its left operand was, whose bits it then keeps.
            lanes.storeResult(target, at, count);
        }
    }

    private static void sum(double[] left, double[] right, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = left[i] + right[i];
        }
    }

    private static void product(double[] left, double[] right, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = left[i] * right[i];
        }
    }

    private static void min(double[] left, double[] right, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = Math.min(left[i], right[i]);
        }
    }

    private static void max(double[] left, double[] right, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = Math.max(left[i], right[i]);
        }
    }

    private static void divide(double[] sums, double worldSize, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = sums[i] / worldSize;
        }
    }
}
