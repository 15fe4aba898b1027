package io.nexar.cli.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import java.lang.foreign.MemorySegment;

/**
 * The data of all ranks, and what must come of them. Each element of each rank has a value of its
 * own, which a number generator gives, so that anybody can say what another rank's data are; and
 * results are computed here one element at a time, apart from the library.
 */
final class Oracle {
    private final DataType type;
    private final StandardReduceOp op;

    /**
     * What a result holds.
     *
     * @param firstRank and the ones after it whose elements are combined
     * @param ranks how many
     * @param shift the index, in their data, of the result's first element
     * @param block if positive the result is blocks of that many elements, the first of {@code
     *     firstRank}, the next of the one after; nothing is combined
     */
    record Expected(int firstRank, int ranks, long shift, long block) {
        static Expected combined(int firstRank, int ranks, long shift) {
            return new Expected(firstRank, ranks, shift, 0);
        }

        static Expected copied(int rank, long shift) {
            return new Expected(rank, 1, shift, 0);
        }

        static Expected blocks(long shift, long block) {
            return new Expected(0, 1, shift, block);
        }

        private Expected at(long index) {
            return block == 0
                    ? new Expected(firstRank, ranks, shift + index, 0)
                    : new Expected(
                            Math.toIntExact(firstRank + index / block),
                            1,
                            shift + index % block,
                            0);
        }
    }

    Oracle(DataType type, StandardReduceOp op) {
        this.type = type;
        this.op = op;
    }

    /** Gives the buffer a rank's data. */
    void fill(DataBuffer buffer, int rank) {
        for (long i = 0; i < buffer.count(); i++) {
            if (type.isInteger()) {
                write(buffer.segment(), i, whole(rank, i));
            } else {
                write(buffer.segment(), i, real(rank, i));
            }
        }
    }

    boolean holds(DataBuffer result, Expected expected) {
        for (long i = 0; i < result.count(); i++) {
            Expected at = expected.at(i);
            boolean isRight =
                    type.isInteger()
                            ? readWhole(result.segment(), i) == wholes(at)
                            : isNear(readReal(result.segment(), i), at);
            if (!isRight) {
                return false;
            }
        }
        return true;
    }

    private long wholes(Expected at) {
        long value = whole(at.firstRank, at.shift);
        // Logical operations give 0 or 1 also of one rank's data.
        long result = isLogical() ? truth(value) : value;
        for (int rank = 1; rank < at.ranks; rank++) {
            result = combine(result, whole(at.firstRank + rank, at.shift));
        }
        return op == StandardReduceOp.AVG && at.ranks > 1 ? divided(result, at.ranks) : result;
    }

    private boolean isLogical() {
        return op == StandardReduceOp.LAND
                || op == StandardReduceOp.LOR
                || op == StandardReduceOp.LXOR;
    }

    private long combine(long left, long right) {
        return narrow(
                switch (op) {
                    case SUM, AVG -> left + right;
                    case PROD -> left * right;
                    case MIN -> compare(left, right) <= 0 ? left : right;
                    case MAX -> compare(left, right) >= 0 ? left : right;
                    case BAND -> left & right;
                    case BOR -> left | right;
                    case BXOR -> left ^ right;
                    case LAND -> left != 0 && right != 0 ? 1 : 0;
                    case LOR -> left != 0 || right != 0 ? 1 : 0;
                    case LXOR -> truth(left) ^ truth(right);
                    case MINLOC, MAXLOC -> throw new IllegalStateException(op + " of " + type);
                });
    }

    private static long truth(long value) {
        return value == 0 ? 0 : 1;
    }

    private int compare(long left, long right) {
        return type.isUnsigned() ? Long.compareUnsigned(left, right) : Long.compare(left, right);
    }

    private long divided(long sum, int ranks) {
        return type.isUnsigned() ? Long.divideUnsigned(sum, ranks) : sum / ranks;
    }

    /** Sums and products of floats depend on their order: each rounding may be off by a half. */
    private boolean isNear(double value, Expected at) {
        double result = real(at.firstRank, at.shift);
        for (int rank = 1; rank < at.ranks; rank++) {
            double next = real(at.firstRank + rank, at.shift);
            result =
                    switch (op) {
                        case SUM, AVG -> result + next;
                        case PROD -> result * next;
                        case MIN -> Math.min(result, next);
                        case MAX -> Math.max(result, next);
                        default -> throw new IllegalStateException(op + " of " + type);
                    };
        }
        boolean isExact = at.ranks == 1 || op == StandardReduceOp.MIN || op == StandardReduceOp.MAX;
        if (isExact) {
            return value == result;
        }
        double wanted = op == StandardReduceOp.AVG ? result / at.ranks : result;
        return Math.abs(value - wanted) <= at.ranks * unit() * wanted;
    }

    /** The largest relative error of one rounding, and a little more than that. */
    private double unit() {
        return switch (type) {
            case F64 -> 0x1p-52;
            case F32 -> 0x1p-23;
            case F16 -> 0x1p-10;
            case BF16 -> 0x1p-7;
            default -> throw new IllegalStateException(type.toString());
        };
    }

    /** In [0.5, 1.5), and exact in the type. */
    private double real(int rank, long index) {
        int bits =
                switch (type) {
                    case BF16 -> 7;
                    case F16 -> 9;
                    default -> 20;
                };
        return 0.5 + (mix(rank, index) >>> (Long.SIZE - bits)) * Math.scalb(1.0, -bits);
    }

    private long whole(int rank, long index) {
        return narrow(mix(rank, index));
    }

    /** The mixing function of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014). */
    private static long mix(int rank, long index) {
        long z = (index + 1) * 0x9e3779b97f4a7c15L + rank * 0xd1b54a32d192ed03L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** What is left of a value in the type's width, as the type extends it again. */
    private long narrow(long value) {
        int unused = Long.SIZE - 8 * type.bytes();
        long upper = value << unused;
        return type.isUnsigned() ? upper >>> unused : upper >> unused;
    }

    private void write(MemorySegment memory, long index, long value) {
        switch (type.bytes()) {
            case 1 -> memory.setAtIndex(JAVA_BYTE, index, (byte) value);
            case 2 -> memory.setAtIndex(JAVA_SHORT, index, (short) value);
            case 4 -> memory.setAtIndex(JAVA_INT, index, (int) value);
            default -> memory.setAtIndex(JAVA_LONG, index, value);
        }
    }

    private long readWhole(MemorySegment memory, long index) {
        return narrow(
                switch (type.bytes()) {
                    case 1 -> memory.getAtIndex(JAVA_BYTE, index);
                    case 2 -> memory.getAtIndex(JAVA_SHORT, index);
                    case 4 -> memory.getAtIndex(JAVA_INT, index);
                    default -> memory.getAtIndex(JAVA_LONG, index);
                });
    }

    private void write(MemorySegment memory, long index, double value) {
        switch (type) {
            case F64 -> memory.setAtIndex(JAVA_DOUBLE, index, value);
            case F32 -> memory.setAtIndex(JAVA_FLOAT, index, (float) value);
            case F16 -> memory.setAtIndex(JAVA_SHORT, index, Float.floatToFloat16((float) value));
            default ->
                    memory.setAtIndex(
                            JAVA_SHORT,
                            index,
                            (short) (Float.floatToRawIntBits((float) value) >>> 16));
        }
    }

    private double readReal(MemorySegment memory, long index) {
        return switch (type) {
            case F64 -> memory.getAtIndex(JAVA_DOUBLE, index);
            case F32 -> memory.getAtIndex(JAVA_FLOAT, index);
            case F16 -> Float.float16ToFloat(memory.getAtIndex(JAVA_SHORT, index));
            default -> Float.intBitsToFloat(memory.getAtIndex(JAVA_SHORT, index) << 16);
        };
    }
}
