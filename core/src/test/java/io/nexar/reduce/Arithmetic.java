package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import java.math.BigInteger;

/**
 * The rules of arithmetic, one element at a time on raw bits: an oracle that uses nothing of the
 * library's kernels. Bits lie in the lower part of a {@code long}; what is above is 0.
 */
public final class Arithmetic {
    private Arithmetic() {}

    /** An element's bits, cut to its width. */
    public static long cut(DataType type, long bits) {
        return type.bytes() == Long.BYTES ? bits : bits & (1L << type.bytes() * 8) - 1;
    }

    /** Left op right; of AVG the sum. */
    public static long reduce(DataType type, StandardReduceOp op, long left, long right) {
        return type.isFloatingPoint()
                ? floats(type, op, left, right)
                : cut(type, integers(op, number(type, left), number(type, right)).longValue());
    }

    /** What is left to do with a result over so many ranks. */
    public static long finish(DataType type, StandardReduceOp op, long result, int size) {
        return switch (op) {
            case AVG ->
                    type.isFloatingPoint()
                            ? quotient(type, result, size)
                            : cut(
                                    type,
                                    number(type, result)
                                            .divide(BigInteger.valueOf(size))
                                            .longValue());
            case LAND, LOR, LXOR -> result == 0 ? 0 : 1;
            default -> result;
        };
    }

    /** Whether the left pair of two wins. */
    public static boolean leftWins(DataType type, StandardReduceOp op, long[] left, long[] right) {
        int order = compare(type.valueType(), op, left[0], right[0]);
        if (order != 0) {
            return order < 0;
        }
        BigInteger leftIndex = number(type.indexType(), left[1]);
        return leftIndex.compareTo(number(type.indexType(), right[1])) <= 0;
    }

    /** Negative where the left value is the better one. */
    private static int compare(DataType type, StandardReduceOp op, long left, long right) {
        int order;
        if (type.isFloatingPoint()) {
            ExactFloat format = format(type);
            if (format.isNan(left) || format.isNan(right)) {
                return Boolean.compare(format.isNan(right), format.isNan(left));
            }
            order = compareFloats(format, left, right);
        } else {
            order = number(type, left).compareTo(number(type, right));
        }
        return op == StandardReduceOp.MAXLOC ? -order : order;
    }

    /** An integer's value. */
    public static BigInteger number(DataType type, long bits) {
        int width = type.bytes() * 8;
        // The upper bit by itself: a long has none to spare for it.
        BigInteger value = BigInteger.valueOf(cut(type, bits) & Long.MAX_VALUE);
        if (bits < 0 && width == Long.SIZE) {
            value = value.setBit(width - 1);
        }
        boolean isNegative = !type.isUnsigned() && value.testBit(width - 1);
        return isNegative ? value.subtract(BigInteger.ONE.shiftLeft(width)) : value;
    }

    private static BigInteger integers(StandardReduceOp op, BigInteger left, BigInteger right) {
        boolean a = left.signum() != 0;
        boolean b = right.signum() != 0;
        return switch (op) {
            case SUM, AVG -> left.add(right);
            case PROD -> left.multiply(right);
            case MIN -> left.min(right);
            case MAX -> left.max(right);
            case BAND -> left.and(right);
            case BOR -> left.or(right);
            case BXOR -> left.xor(right);
            case LAND -> BigInteger.valueOf(a && b ? 1 : 0);
            case LOR -> BigInteger.valueOf(a || b ? 1 : 0);
            case LXOR -> BigInteger.valueOf(a != b ? 1 : 0);
            case MINLOC, MAXLOC -> throw new IllegalArgumentException(op.name());
        };
    }

    private static long floats(DataType type, StandardReduceOp op, long left, long right) {
        ExactFloat format = format(type);
        if (format.isNan(left)) {
            return left;
        }
        if (format.isNan(right)) {
            return right;
        }
        return switch (op) {
            case SUM, AVG -> sum(type, left, right);
            case PROD -> product(type, left, right);
            case MIN -> compareFloats(format, left, right) <= 0 ? left : right;
            case MAX -> compareFloats(format, left, right) >= 0 ? left : right;
            default -> throw new IllegalArgumentException(op.name());
        };
    }

    private static int compareFloats(ExactFloat format, long left, long right) {
        if (format.isInfinite(left) || format.isInfinite(right)) {
            return Integer.compare(side(format, left), side(format, right));
        }
        return format.decode(left).compare(format.decode(right));
    }

    /** -1 and 1 for the infinities, 0 for what lies between. */
    private static int side(ExactFloat format, long bits) {
        return format.isInfinite(bits) ? (format.isNegative(bits) ? -1 : 1) : 0;
    }

    private static long sum(DataType type, long left, long right) {
        ExactFloat format = format(type);
        if (format.isInfinite(left) || format.isInfinite(right)) {
            boolean isNan = format.isInfinite(left) && format.isInfinite(right) && left != right;
            return isNan ? format.canonicalNan() : format.isInfinite(left) ? left : right;
        }
        return stored(type, format.decode(left).plus(format.decode(right)), 1);
    }

    private static long product(DataType type, long left, long right) {
        ExactFloat format = format(type);
        if (format.isInfinite(left) || format.isInfinite(right)) {
            if ((left & ~format.sign()) == 0 || (right & ~format.sign()) == 0) {
                return format.canonicalNan();
            }
            boolean isNegative = format.isNegative(left) != format.isNegative(right);
            return format.infinity() | (isNegative ? format.sign() : 0);
        }
        return stored(type, format.decode(left).times(format.decode(right)), 1);
    }

    private static long quotient(DataType type, long sum, int size) {
        ExactFloat format = format(type);
        return format.isNan(sum) || format.isInfinite(sum)
                ? sum
                : stored(type, format.decode(sum), size);
    }

    /** Halves compute in F32 and are rounded once more when they are stored. */
    private static long stored(DataType type, ExactFloat.Value value, int divisor) {
        if (type == DataType.F32 || type == DataType.F64) {
            return format(type).encode(value, divisor);
        }
        long single = ExactFloat.F32.encode(value, divisor);
        return ExactFloat.F32.isInfinite(single)
                ? format(type).infinity()
                        | (ExactFloat.F32.isNegative(single) ? format(type).sign() : 0)
                : format(type).encode(ExactFloat.F32.decode(single));
    }

    /** The bits of a whole number, rounded if need be. */
    public static long ofWhole(DataType type, long value) {
        return format(type).encode(ExactFloat.Value.of(BigInteger.valueOf(value), 0));
    }

    public static boolean isNan(DataType type, long bits) {
        return format(type).isNan(bits);
    }

    public static long nan(DataType type) {
        return format(type).canonicalNan();
    }

    static ExactFloat format(DataType type) {
        return switch (type) {
            case F64 -> ExactFloat.F64;
            case F32 -> ExactFloat.F32;
            case F16 -> ExactFloat.F16;
            case BF16 -> ExactFloat.BF16;
            default -> throw new IllegalArgumentException(type.name());
        };
    }
}
