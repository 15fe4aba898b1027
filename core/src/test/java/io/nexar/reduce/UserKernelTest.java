package io.nexar.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.DataType;
import io.nexar.ReduceOp;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongBinaryOperator;

/** Operations of users: what their functions are given, and what becomes of what they return. */
class UserKernelTest {
    private static final int COUNT = 4101;

    @Test
    void longsAreExtendedAsTheTypeSaysAndTheLowBitsAreStored() {
        LongBinaryOperator function = (a, b) -> a / 2 + 3 * b;
        Random random = new Random(11);
        for (DataType type : DataType.values()) {
            if (!type.isInteger()) {
                continue;
            }
            AtomicInteger calls = new AtomicInteger();
            ReduceOp op =
                    ReduceOp.ofLongs(
                            "odd",
                            (a, b) -> {
                                calls.incrementAndGet();
                                return function.applyAsLong(a, b);
                            });
            long[] left = wild(type, random);
            long[] right = wild(type, random);
            MemorySegment a = memory(type, left);
            MemorySegment b = memory(type, right);
            Kernels.find(op, type).reduce(a, 0, b, 0, a, 0, COUNT);
            for (int i = 0; i < COUNT; i++) {
                BigInteger x = Arithmetic.number(type, left[i]);
                BigInteger y = Arithmetic.number(type, right[i]);
                long expected = function.applyAsLong(x.longValue(), y.longValue());
                requireBits(type, i, a, Arithmetic.cut(type, expected));
            }
            assertThat(calls).as("once for each element of %s", type).hasValue(COUNT);
        }
    }

    @Test
    void doublesAreRoundedOnceAndNansKeepTheLeftBits() {
        Random random = new Random(12);
        ReduceOp op = ReduceOp.ofDoubles("third", (a, b) -> a + b / 3);
        for (DataType type :
                new DataType[] {DataType.F64, DataType.F32, DataType.F16, DataType.BF16}) {
            ExactFloat format = Arithmetic.format(type);
            long[] left = wild(type, random);
            long[] right = wild(type, random);
            MemorySegment a = memory(type, left);
            MemorySegment b = memory(type, right);
            Kernels.find(op, type).reduce(a, 0, b, 0, b, 0, COUNT);
            for (int i = 0; i < COUNT; i++) {
                double x = toDouble(format, left[i]);
                double y = toDouble(format, right[i]);
                requireBits(type, i, b, rounded(format, left[i], right[i], x + y / 3));
            }
        }
    }

    private static long rounded(ExactFloat format, long left, long right, double result) {
        if (Double.isNaN(result)) {
            return format.isNan(left) ? left : format.isNan(right) ? right : format.canonicalNan();
        }
        if (Double.isInfinite(result)) {
            return format.infinity() | (result < 0 ? format.sign() : 0);
        }
        return format.encode(ExactFloat.F64.decode(Double.doubleToRawLongBits(result)));
    }

    private static double toDouble(ExactFloat format, long bits) {
        if (format.isNan(bits)) {
            return Double.NaN;
        }
        if (format.isInfinite(bits)) {
            return format.isNegative(bits) ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return Double.longBitsToDouble(ExactFloat.F64.encode(format.decode(bits)));
    }

    @Test
    void itemsAreAlignedWhereverTheyLieAndOperandsCanNotBeWritten() {
        // Pitfall 23: bytes off the wire lie anywhere; a user's code wants aligned elements.
        ReduceOp op =
                ReduceOp.of(
                        "left minus right",
                        2,
                        (left, right, result, items) -> {
                            assertThat(left.isReadOnly() && right.isReadOnly()).isTrue();
                            for (long i = 0; i < 2 * items; i++) {
                                long a = left.getAtIndex(ValueLayout.JAVA_LONG, i);
                                long b = right.getAtIndex(ValueLayout.JAVA_LONG, i);
                                result.setAtIndex(ValueLayout.JAVA_LONG, i, a - b);
                            }
                        });
        for (int offset = 0; offset < 8; offset++) {
            MemorySegment left = MemorySegment.ofArray(new byte[8 * 10 + 8]);
            MemorySegment right = Arena.ofAuto().allocate(8 * 10 + 8, 8);
            for (int i = 0; i < 10; i++) {
                left.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8L * i, 100L * i);
                right.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8L * i, i);
            }
            Kernels.find(op, DataType.I64).reduce(left, offset, right, offset, left, offset, 5);
            for (int i = 0; i < 10; i++) {
                assertThat(left.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8L * i))
                        .isEqualTo(99L * i);
            }
        }
    }

    @Test
    void whatAFunctionThrowsNamesTheOperation() {
        ReduceOp brittle = ReduceOp.ofLongs("brittle", (a, b) -> a / b);
        MemorySegment zeros = MemorySegment.ofArray(new int[4]);
        assertThatThrownBy(() ->
                        Kernels.find(brittle, DataType.I32).reduce(zeros, 0, zeros, 0, zeros, 0, 4))
                .isInstanceOf(FailedOperation.class)
                .hasMessageContaining("brittle")
                .hasCauseInstanceOf(ArithmeticException.class);
    }

    @Test
    void functionsOfAnotherFamilyAreRefused() {
        ReduceOp doubles = ReduceOp.ofDoubles("hypotenuse", Math::hypot);
        assertThatThrownBy(() -> Kernels.find(doubles, DataType.I32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hypotenuse");
    }

    private static long[] wild(DataType type, Random random) {
        long[] bits = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            bits[i] = Bits.wild(type, random);
        }
        return bits;
    }

    private static MemorySegment memory(DataType type, long[] bits) {
        MemorySegment memory = Bits.memory(type, (long) COUNT * type.bytes(), false);
        for (int i = 0; i < COUNT; i++) {
            Bits.put(memory, type, (long) i * type.bytes(), bits[i]);
        }
        return memory;
    }

    private static void requireBits(DataType type, int index, MemorySegment memory, long expected) {
        long actual = Bits.take(memory, type, (long) index * type.bytes());
        if (actual != expected) {
            throw new AssertionError(
                    "%s, element %d: %x instead of %x".formatted(type, index, actual, expected));
        }
    }
}
