package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import java.util.function.LongBinaryOperator;

/**
 * The operations on {@code long} lanes, each a loop of its own over arrays: so that the compiler
 * sees one operation in it and turns it into vector instructions. Everything wraps.
 */
final class LongOperations {
    /** Turns the unsigned order into the signed one. */
    private static final long BIAS = Long.MIN_VALUE;

    private LongOperations() {}

    static Kernel find(StandardReduceOp op, DataType type) {
        // The same bits, another order.
        boolean isUnsigned = type == DataType.U64;
        return switch (op) {
            case SUM -> plain(type, LongOperations::sum);
            case PROD -> plain(type, LongOperations::product);
            case MIN -> plain(type, isUnsigned ? LongOperations::minUnsigned : LongOperations::min);
            case MAX -> plain(type, isUnsigned ? LongOperations::maxUnsigned : LongOperations::max);
            case AVG ->
                    new LongKernel(
                            type,
                            LongOperations::sum,
                            isUnsigned ? LongOperations::divideUnsigned : LongOperations::divide);
            case BAND -> plain(type, LongOperations::and);
            case BOR -> plain(type, LongOperations::or);
            case BXOR -> plain(type, LongOperations::exclusiveOr);
            case LAND -> new LongKernel(type, LongOperations::bothTrue, LongOperations::truths);
            case LOR -> new LongKernel(type, LongOperations::anyTrue, LongOperations::truths);
            case LXOR -> new LongKernel(type, LongOperations::oneTrue, LongOperations::truths);
            case MINLOC, MAXLOC -> throw new IllegalArgumentException(op + " is for pairs");
        };
    }

    private static Kernel plain(DataType type, LongKernel.Combine combine) {
        return new LongKernel(type, combine, null);
    }

    /** A user's operation. */
    static Kernel of(LongBinaryOperator op, DataType type) {
        return plain(
                type,
                (left, right, count) -> {
                    for (int i = 0; i < count; i++) {
                        left[i] = op.applyAsLong(left[i], right[i]);
                    }
                });
    }

    private static void sum(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = left[i] + right[i];
        }
    }

    private static void product(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = left[i] * right[i];
        }
    }

    private static void min(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = Math.min(left[i], right[i]);
        }
    }

    private static void max(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = Math.max(left[i], right[i]);
        }
    }

    private static void minUnsigned(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = Math.min(left[i] ^ BIAS, right[i] ^ BIAS) ^ BIAS;
        }
    }

    private static void maxUnsigned(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = Math.max(left[i] ^ BIAS, right[i] ^ BIAS) ^ BIAS;
        }
    }

    private static void and(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = left[i] & right[i];
        }
    }

    private static void or(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = left[i] | right[i];
        }
    }

    private static void exclusiveOr(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = left[i] ^ right[i];
        }
    }

    private static void bothTrue(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = truth(left[i]) & truth(right[i]);
        }
    }

    private static void anyTrue(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = truth(left[i]) | truth(right[i]);
        }
    }

    private static void oneTrue(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = truth(left[i]) ^ truth(right[i]);
        }
    }

    /** 1 for everything but 0: of a value that is not 0, it or its negative has the sign bit. */
    private static long truth(long value) {
        return (value | -value) >>> 63;
    }

    private static void truths(long[] lanes, int count, int worldSize) {
        for (int i = 0; i < count; i++) {
            lanes[i] = truth(lanes[i]);
        }
    }

    /** Truncates toward zero. */
    private static void divide(long[] lanes, int count, int worldSize) {
        for (int i = 0; i < count; i++) {
            lanes[i] /= worldSize;
        }
    }

    private static void divideUnsigned(long[] lanes, int count, int worldSize) {
        for (int i = 0; i < count; i++) {
            lanes[i] = Long.divideUnsigned(lanes[i], worldSize);
        }
    }
}
