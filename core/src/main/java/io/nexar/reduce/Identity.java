package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.StandardReduceOp;
import io.nexar.UserReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The identity of an operation on a type: what an exclusive scan gives to its first rank. An
 * element is written as its bits; of a pair, value and index each.
 */
public final class Identity {
    private Identity() {}

    /**
     * Fills memory with the identity.
     *
     * @param target a whole number of elements, in any alignment
     * @throws IllegalArgumentException if the type does not have the operation, or the operation no
     *     identity: AVG, and a user's that was given none or one that the type can't hold
     */
    public static void fill(ReduceOp op, DataType type, MemorySegment target) {
        long[] element = bits(op, type);
        if (target.byteSize() > 0) {
            put(type.valueType(), target, 0, element[0]);
        }
        if (target.byteSize() > 0 && type.isPair()) {
            put(type.indexType(), target, type.valueType().bytes(), element[1]);
        }
        // What is filled is copied behind itself: at the speed of memory, whatever the type.
        for (long filled = type.bytes(); filled < target.byteSize(); filled *= 2) {
            long bytes = Math.min(filled, target.byteSize() - filled);
            MemorySegment.copy(target, 0, target, filled, bytes);
        }
    }

    /**
     * Returns the identity's bits: of a pair value and index, of every other type one.
     *
     * @throws IllegalArgumentException as {@link #fill} does
     */
    public static long[] bits(ReduceOp op, DataType type) {
        if (!op.supports(type)) {
            throw new IllegalArgumentException(
                    "%s does not apply to %s elements".formatted(op.name(), type));
        }
        return switch (op) {
            case StandardReduceOp standard when type.isPair() ->
                    new long[] {
                        extreme(standard == StandardReduceOp.MINLOC, type.valueType()),
                        extreme(true, type.indexType())
                    };
            case StandardReduceOp standard -> new long[] {standard(standard, type)};
            case UserReduceOp user -> users(user, type);
        };
    }

    private static long standard(StandardReduceOp op, DataType type) {
        return switch (op) {
            case SUM, BOR, BXOR, LOR, LXOR -> 0;
            case PROD, LAND -> number(1, type);
            case BAND -> -1;
            case MIN -> extreme(true, type);
            case MAX -> extreme(false, type);
            case AVG ->
                    throw new IllegalArgumentException(
                            "AVG has no identity, so an exclusive scan can't have it; scan SUM");
            case MINLOC, MAXLOC -> throw new IllegalArgumentException(op + " is for pairs");
        };
    }

    /** The value that no other exceeds, or that exceeds no other; of floats an infinity. */
    private static long extreme(boolean isLargest, DataType type) {
        if (type.isFloatingPoint()) {
            return number(isLargest ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY, type);
        }
        if (type.isUnsigned()) {
            return isLargest ? -1 : 0;
        }
        long smallest = -1L << (type.bytes() * Byte.SIZE - 1);
        return isLargest ? ~smallest : smallest;
    }

    private static long[] users(UserReduceOp op, DataType type) {
        Number identity = op.identity();
        if (identity == null) {
            throw new IllegalArgumentException(
                    op.name() + " has no identity, which an exclusive scan needs; withIdentity()");
        }
        long value = userBits(op, identity, type.valueType());
        return type.isPair()
                ? new long[] {value, userBits(op, identity, type.indexType())}
                : new long[] {value};
    }

    private static long userBits(UserReduceOp op, Number identity, DataType type) {
        if (type.isFloatingPoint()) {
            return number(identity.doubleValue(), type);
        }
        if (identity instanceof Double number && number != number.longValue()) {
            throw new IllegalArgumentException(
                    "identity %s of %s is no %s".formatted(identity, op.name(), type));
        }
        return identity.longValue();
    }

    /** A number's bits, rounded to nearest even. */
    private static long number(double value, DataType type) {
        return switch (type) {
            case F64 -> Double.doubleToRawLongBits(value);
            case F32 -> Float.floatToRawIntBits((float) value);
            case F16 -> HalfFloats.floatToF16(HalfFloats.toOdd(value));
            case BF16 -> HalfFloats.floatToBf16(HalfFloats.toOdd(value));
            default -> (long) value;
        };
    }

    private static void put(DataType type, MemorySegment target, long at, long bits) {
        switch (type.bytes()) {
            case Byte.BYTES -> target.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
            case Short.BYTES -> target.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) bits);
            case Integer.BYTES -> target.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
            default -> target.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
        }
    }
}
