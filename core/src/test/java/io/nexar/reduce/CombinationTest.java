package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.util.Random;

/** Kernels that combine several operands at once, against exact arithmetic one by one. */
@ParameterizedClass
@MethodSource("io.nexar.reduce.TestKernels#all")
class CombinationTest {
    /** The last one is more than a block of any type. */
    private static final int[] COUNTS = {0, 1, 3, 17, 1023, 4101};

    private final Kernels kernels;

    CombinationTest(Kernels kernels) {
        this.kernels = kernels;
    }

    @Test
    void severalOperandsCombineInOrderAndHalvesAreRoundedOnce() {
        long seed = 0;
        for (DataType type : DataType.values()) {
            for (StandardReduceOp op : StandardReduceOp.values()) {
                for (int count : COUNTS) {
                    if (op.supports(type) && !type.isPair()) {
                        check(type, op, count, ++seed);
                    }
                }
            }
        }
    }

    private void check(DataType type, StandardReduceOp op, int count, long seed) {
        Random random = new Random(seed);
        int ranks = 2 + random.nextInt(8);
        Operands operands = new Operands().reset(ranks);
        long[][] elements = new long[ranks][count];
        for (int rank = 0; rank < ranks; rank++) {
            int offset = random.nextInt(8);
            MemorySegment memory =
                    Bits.memory(type, (long) (count + 8) * type.bytes(), random.nextBoolean());
            for (int i = 0; i < count; i++) {
                elements[rank][i] = element(type, random);
                Bits.put(memory, type, offset + (long) i * type.bytes(), elements[rank][i]);
            }
            operands.add(memory, offset);
        }
        int offset = random.nextInt(8);
        MemorySegment target =
                Bits.memory(type, (long) (count + 8) * type.bytes(), random.nextBoolean());
        kernels.kernel(op, type).combine(operands, target, offset, count);
        for (int i = 0; i < count; i++) {
            long actual = Bits.take(target, type, offset + (long) i * type.bytes());
            long expected = expected(type, op, elements, i);
            if (actual != expected) {
                throw new AssertionError(
                        "seed %d: %s of %d %s, element %d of %d: %x instead of %x"
                                .formatted(seed, op, ranks, type, i, count, actual, expected));
            }
        }
    }

    /** Any bits; and more often ordinary numbers, of which a sum has to be rounded. */
    private static long element(DataType type, Random random) {
        if (!type.isFloatingPoint() || random.nextInt(8) == 0) {
            return Bits.wild(type, random);
        }
        ExactFloat format = Arithmetic.format(type);
        long one = format.infinity() / 2 & -1L << format.fractionBits();
        return one + random.nextInt(3 << format.fractionBits()) | random.nextLong() & format.sign();
    }

    private static long expected(DataType type, StandardReduceOp op, long[][] elements, int at) {
        boolean isHalf = type == DataType.F16 || type == DataType.BF16;
        DataType wide = isHalf ? DataType.F32 : type;
        long partial = isHalf ? widen(type, elements[0][at]) : elements[0][at];
        for (int rank = 1; rank < elements.length; rank++) {
            long next = elements[rank][at];
            partial = Arithmetic.reduce(wide, op, partial, isHalf ? widen(type, next) : next);
        }
        return isHalf ? narrow(type, partial, elements, at) : partial;
    }

    private static long widen(DataType type, long bits) {
        ExactFloat half = Arithmetic.format(type);
        if (half.isNan(bits)) {
            return ExactFloat.F32.canonicalNan();
        }
        if (half.isInfinite(bits)) {
            return ExactFloat.F32.infinity() | (half.isNegative(bits) ? ExactFloat.F32.sign() : 0);
        }
        return ExactFloat.F32.encode(half.decode(bits));
    }

    /** Of a NaN, the first operand that is one, or what infinity minus infinity is. */
    private static long narrow(DataType type, long bits, long[][] elements, int at) {
        ExactFloat half = Arithmetic.format(type);
        if (ExactFloat.F32.isNan(bits)) {
            for (long[] operand : elements) {
                if (half.isNan(operand[at])) {
                    return operand[at];
                }
            }
            return half.canonicalNan();
        }
        if (ExactFloat.F32.isInfinite(bits)) {
            return half.infinity() | (ExactFloat.F32.isNegative(bits) ? half.sign() : 0);
        }
        return half.encode(ExactFloat.F32.decode(bits));
    }
}
