package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import java.util.function.LongBinaryOperator;

/**
 * The operations on {@code int} lanes, each a loop of its own over arrays: so that the compiler
 * sees one operation in it and turns it into vector instructions. Everything wraps.
 */
final class IntOperations {
    /** Turns the unsigned order into the signed one. */
    private static final int BIAS = Integer.MIN_VALUE;

    private IntOperations() {}

    static Kernel find(StandardReduceOp op, DataType type) {
        // U8 and U16 are zero-extended: as lanes they compare and divide like any others.
        boolean isUnsigned = type == DataType.U32;
        return switch (op) {
            case SUM -> plain(type, IntOperations::sum);
            case PROD -> plain(type, IntOperations::product);
            case MIN -> plain(type, isUnsigned ? IntOperations::minUnsigned : IntOperations::min);
            case MAX -> plain(type, isUnsigned ? IntOperations::maxUnsigned : IntOperations::max);
            case AVG ->
                    IntKernel.of(
                            type,
                            IntOperations::sum,
                            isUnsigned ? IntOperations::divideUnsigned : IntOperations::divide);
            case BAND -> plain(type, IntOperations::and);
            case BOR -> plain(type, IntOperations::or);
            case BXOR -> plain(type, IntOperations::exclusiveOr);
            case LAND -> IntKernel.of(type, IntOperations::bothTrue, IntOperations::truths);
            case LOR -> IntKernel.of(type, IntOperations::anyTrue, IntOperations::truths);
            case LXOR -> IntKernel.of(type, IntOperations::oneTrue, IntOperations::truths);
            case MINLOC, MAXLOC -> throw new IllegalArgumentException(op + " is for pairs");
        };
    }

    private static Kernel plain(DataType type, IntKernel.Combine combine) {
        return IntKernel.of(type, combine, null);
    }

    /** A user's operation on what the lanes mean. */
    static Kernel of(LongBinaryOperator op, DataType type) {
        long mask = type == DataType.U32 ? 0xFFFF_FFFFL : -1;
        return plain(
                type,
                (left, right, count) -> {
                    for (int i = 0; i < count; i++) {
                        left[i] = (int) op.applyAsLong(left[i] & mask, right[i] & mask);
                    }
                });
    }

    private static void sum(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = left[i] + right[i];
        }
    }

    private static void product(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = left[i] * right[i];
        }
    }

    private static void min(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = Math.min(left[i], right[i]);
        }
    }

    private static void max(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = Math.max(left[i], right[i]);
        }
    }

    private static void minUnsigned(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = Math.min(left[i] ^ BIAS, right[i] ^ BIAS) ^ BIAS;
        }
    }

    private static void maxUnsigned(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = Math.max(left[i] ^ BIAS, right[i] ^ BIAS) ^ BIAS;
        }
    }

    private static void and(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = left[i] & right[i];
        }
    }

    private static void or(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = left[i] | right[i];
        }
    }

    private static void exclusiveOr(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = left[i] ^ right[i];
        }
    }

    private static void bothTrue(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = truth(left[i]) & truth(right[i]);
        }
    }

    private static void anyTrue(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = truth(left[i]) | truth(right[i]);
        }
    }

    private static void oneTrue(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = truth(left[i]) ^ truth(right[i]);
        }
    }

    /** 1 for everything but 0: of a value that is not 0, it or its negative has the sign bit. */
    private static int truth(int value) {
        return (value | -value) >>> 31;
    }

    private static void truths(int[] lanes, int count, int worldSize) {
        for (int i = 0; i < count; i++) {
            lanes[i] = truth(lanes[i]);
        }
    }

    /** Truncates toward zero. */
    private static void divide(int[] lanes, int count, int worldSize) {
        for (int i = 0; i < count; i++) {
            lanes[i] /= worldSize;
        }
    }

    private static void divideUnsigned(int[] lanes, int count, int worldSize) {
        for (int i = 0; i < count; i++) {
            lanes[i] = Integer.divideUnsigned(lanes[i], worldSize);
        }
    }
}
