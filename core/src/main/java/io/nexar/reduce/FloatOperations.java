package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import java.util.function.DoubleBinaryOperator;

/**
 * The operations on {@code float} lanes, which serve F32, F16 and BF16, each a loop of its own over
 * arrays: so that the compiler sees one operation in it and turns it into vector instructions.
 *
 * <p>Halves that a kernel combines several of at once are rounded once: partial results are F32, so
 * that a sum is off by u of itself, and of second order besides, with u = 2^-11 for F16 and 2^-8
 * for BF16. Otherwise they are rounded at every step: what travels and what lies between two steps
 * has the element's own type. A sum of n halves that does not overflow is then off by at most (n -
 * 1) * u of the sum of the absolute values, to first order, when the algorithm adds one rank after
 * another (ring), and by ceil(log2 n) * u when it adds in a tree (recursive doubling). The sum of
 * the same number over and over stops growing once the number is below half a step of the sum: ones
 * in BF16 at 256. Across ranks that needs more than 256 of them.
 */
final class FloatOperations {
    private FloatOperations() {}

    static Kernel find(StandardReduceOp op, DataType type) {
        return switch (op) {
            case SUM -> kernel(type, FloatOperations::sum, false);
            case PROD -> kernel(type, FloatOperations::product, false);
            case MIN -> kernel(type, FloatOperations::min, false);
            case MAX -> kernel(type, FloatOperations::max, false);
            case AVG -> kernel(type, FloatOperations::sum, true);
            default -> throw new IllegalArgumentException(op + " is not for " + type);
        };
    }

    /** A user's operation, whose result is rounded once. */
    static Kernel of(DoubleBinaryOperator op, DataType type) {
        return kernel(type, type == DataType.F32 ? single(op) : half(op), false);
    }

    private static Kernel kernel(DataType type, FloatKernel.Combine combine, boolean isAverage) {
        return type == DataType.BF16
                ? new Bf16Kernel(combine, isAverage)
                : new FloatKernel(type, combine, isAverage);
    }

    private static FloatKernel.Combine single(DoubleBinaryOperator op) {
        return (left, right, result, count) -> {
            for (int i = 0; i < count; i++) {
                result[i] = (float) op.applyAsDouble(left[i], right[i]);
            }
        };
    }

    private static FloatKernel.Combine half(DoubleBinaryOperator op) {
        return (left, right, result, count) -> {
            for (int i = 0; i < count; i++) {
                result[i] = HalfFloats.toOdd(op.applyAsDouble(left[i], right[i]));
            }
        };
    }

    private static void sum(float[] left, float[] right, float[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = left[i] + right[i];
        }
    }

    private static void product(float[] left, float[] right, float[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = left[i] * right[i];
        }
    }

    private static void min(float[] left, float[] right, float[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = Math.min(left[i], right[i]);
        }
    }

    private static void max(float[] left, float[] right, float[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = Math.max(left[i], right[i]);
        }
    }

    static void divide(float[] sums, float worldSize, float[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = sums[i] / worldSize;
        }
    }
}
