package io.nexar.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.util.Random;

/** Conversions of halves against IEEE 754 in whole numbers. */
class HalfFloatsTest {
    private static final int PATTERNS = 1 << 16;

    /** More than the compiler waits for: what the interpreter does is not enough. */
    private static final int ROUNDS = 10;

    @Test
    void allPatternsOfF16ConvertExactlyAndComeBack() {
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < PATTERNS; i++) {
                short bits = (short) i;
                float value = HalfFloats.f16ToFloat(bits);
                if (round == 0 || round == ROUNDS - 1) {
                    requireEqual(i, widened(ExactFloat.F16, i), value);
                }
                require(i, HalfFloats.floatToF16(value) == bits, "comes back");
                require(i, HalfFloats.isF16Nan(bits) == Float.isNaN(value), "is NaN or is not");
            }
        }
    }

    @Test
    void allPatternsOfBf16ConvertExactlyAndComeBack() {
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < PATTERNS; i++) {
                short bits = (short) i;
                float value = HalfFloats.bf16ToFloat(bits);
                if (round == 0 || round == ROUNDS - 1) {
                    requireEqual(i, widened(ExactFloat.BF16, i), value);
                }
                require(i, HalfFloats.floatToBf16(value) == bits, "comes back");
                require(i, HalfFloats.isBf16Nan(bits) == Float.isNaN(value), "is NaN or is not");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.nexar.reduce.TestKernels#all")
    void allPatternsPassTheKernelsUnchanged(Kernels kernels) {
        for (DataType type : new DataType[] {DataType.F16, DataType.BF16}) {
            short[] all = new short[PATTERNS];
            for (int i = 0; i < PATTERNS; i++) {
                all[i] = (short) i;
            }
            MemorySegment memory = MemorySegment.ofArray(all);
            for (int round = 0; round < 10 * ROUNDS; round++) {
                // The larger of two equal numbers is that number; of two NaNs the left one's bits.
                kernels.kernel(StandardReduceOp.MAX, type)
                        .reduce(memory, 0, memory, 0, memory, 0, PATTERNS);
                kernels.kernel(StandardReduceOp.AVG, type).scale(memory, 0, PATTERNS, 1);
            }
            for (int i = 0; i < PATTERNS; i++) {
                require(i, all[i] == (short) i, "of " + type + " is unchanged");
            }
        }
    }

    @Test
    void floatsAndDoublesRoundOnceToNearestEven() {
        // Both sides of every midpoint between two halves, and the midpoint; from doubles the
        // difference is one that a float does not see.
        for (DataType type : new DataType[] {DataType.F16, DataType.BF16}) {
            ExactFloat format = Arithmetic.format(type);
            for (int i = 0; i < format.infinity(); i++) {
                double low = Double.longBitsToDouble(ExactFloat.F64.encode(format.decode(i)));
                double step =
                        i + 1 < format.infinity()
                                ? Double.longBitsToDouble(
                                                ExactFloat.F64.encode(format.decode(i + 1)))
                                        - low
                                : low
                                        - Double.longBitsToDouble(
                                                ExactFloat.F64.encode(format.decode(i - 1)));
                double middle = low + step / 2;
                for (double value :
                        new double[] {
                            low, middle, Math.nextDown(middle), Math.nextUp(middle), -middle
                        }) {
                    requireRounded(type, value);
                }
            }
        }
    }

    @Test
    void numbersOfEveryMagnitudeRoundOnce() {
        Random random = new Random(5);
        for (int i = 0; i < 200_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            double small = Math.scalb(random.nextGaussian(), random.nextInt(80) - 60);
            if (!Double.isNaN(value)) {
                requireRounded(DataType.F16, value);
                requireRounded(DataType.BF16, value);
            }
            requireRounded(DataType.F16, small);
            requireRounded(DataType.BF16, small);
        }
    }

    @Test
    void aNanNeverBecomesInfinite() {
        float thin = Float.intBitsToFloat(0x7F80_0001);
        assertThat(HalfFloats.isF16Nan(HalfFloats.floatToF16(thin))).isTrue();
        assertThat(HalfFloats.isBf16Nan(HalfFloats.floatToBf16(thin))).isTrue();
        assertThat(HalfFloats.floatToBf16(Float.intBitsToFloat(0xFFFF_FFFF)))
                .isEqualTo((short) 0xFFFF);
        assertThat(HalfFloats.toOdd(Double.NaN)).isNaN();
    }

    private static void requireRounded(DataType type, double value) {
        ExactFloat format = Arithmetic.format(type);
        long expected =
                Double.isInfinite(value)
                        ? format.infinity() | (value < 0 ? format.sign() : 0)
                        : format.encode(ExactFloat.F64.decode(Double.doubleToRawLongBits(value)));
        float odd = HalfFloats.toOdd(value);
        short actual =
                type == DataType.F16 ? HalfFloats.floatToF16(odd) : HalfFloats.floatToBf16(odd);
        if ((short) expected != actual) {
            throw new AssertionError(
                    "%s of %s: %04x instead of %04x"
                            .formatted(type, Double.toHexString(value), actual, expected));
        }
        if ((float) value == value) {
            short single =
                    type == DataType.F16
                            ? HalfFloats.floatToF16((float) value)
                            : HalfFloats.floatToBf16((float) value);
            require(actual, single == actual, "is the same of the float");
        }
    }

    /** The bits of the float that has exactly this half's value. */
    private static long widened(ExactFloat format, int half) {
        if (format.isNan(half) || format.isInfinite(half)) {
            long fraction = half & (1L << format.fractionBits()) - 1;
            return (format.isNegative(half) ? ExactFloat.F32.sign() : 0)
                    | ExactFloat.F32.infinity()
                    | fraction << (23 - format.fractionBits());
        }
        return ExactFloat.F32.encode(format.decode(half));
    }

    private static void requireEqual(int pattern, long expected, float actual) {
        require(pattern, Float.floatToRawIntBits(actual) == (int) expected, "is exact");
    }

    private static void require(int pattern, boolean isTrue, String claim) {
        if (!isTrue) {
            throw new AssertionError("%04x %s: no".formatted(pattern, claim));
        }
    }
}
