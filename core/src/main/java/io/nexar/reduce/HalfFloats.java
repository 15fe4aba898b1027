package io.nexar.reduce;

/**
 * Conversions of half-precision numbers, held as bits in a {@code short}. F16 is IEEE 754 binary16:
 * sign, 5 bits of exponent, 10 of fraction. BF16 is the upper half of a binary32: sign, 8 bits of
 * exponent, 7 of fraction.
 *
 * <p>To {@code float} every number converts exactly, subnormals, infinities and the sign of zero
 * included. From {@code float} and {@code double} they round once, to the nearest and of two
 * equally near ones to the one whose last bit is 0; what lies half a step or more beyond the
 * largest number becomes infinite. A NaN keeps its sign and the upper bits of its payload, and
 * becomes infinite never; the way there and back gives the same bits.
 */
final class HalfFloats {
    private static final int F16_INFINITY = 0x7C00;
    private static final int BF16_INFINITY = 0x7F80;
    private static final int MAGNITUDE = 0x7FFF;

    /** Bits of an F32's fraction that an F16's has not. */
    private static final int F16_SHIFT = 13;

    private HalfFloats() {}

    static boolean isF16Nan(short bits) {
        return (bits & MAGNITUDE) > F16_INFINITY;
    }

    static boolean isBf16Nan(short bits) {
        return (bits & MAGNITUDE) > BF16_INFINITY;
    }

    static float f16ToFloat(short bits) {
        if (isF16Nan(bits)) {
            // The machine's conversion would set the quiet bit, the interpreter's would not.
            int fraction = (bits & 0x3FF) << F16_SHIFT;
            return Float.intBitsToFloat((bits & 0x8000) << 16 | 0x7F80_0000 | fraction);
        }
        return Float.float16ToFloat(bits);
    }

    static short floatToF16(float value) {
        if (Float.isNaN(value)) {
            int bits = Float.floatToRawIntBits(value);
            int fraction = bits >> F16_SHIFT & 0x3FF;
            return (short) (bits >> 16 & 0x8000 | F16_INFINITY | (fraction == 0 ? 1 : fraction));
        }
        return Float.floatToFloat16(value);
    }

    static float bf16ToFloat(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    static short floatToBf16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            int upper = bits >>> 16;
            return (short) ((upper & 0x7F) == 0 ? upper | 1 : upper);
        }
        return (short) bf16OfNumber(bits);
    }

    /**
     * The nearest BF16 of an F32's bits that are no NaN: half a step less one is added, and one
     * more where the last bit that stays is 1; a carry runs into the exponent as it should, up to
     * infinity.
     */
    static int bf16OfNumber(int floatBits) {
        return floatBits + 0x7FFF + (floatBits >>> 16 & 1) >>> 16;
    }

    /**
     * The {@code float} that rounds to the same half as this double does, so that going through it
     * rounds once and not twice. It is cut to odd: where {@code value} is no float, of its two
     * neighbours the one whose last bit is 1. That says "something more" to the next rounding, for
     * which a float has enough bits more than a half, also where it is subnormal. (Boldo,
     * Melquiond: "When double rounding is odd", 2005.)
     */
    static float toOdd(double value) {
        float nearest = (float) value;
        boolean isOdd = (Float.floatToRawIntBits(nearest) & 1) != 0;
        if (isOdd || nearest == value || Double.isNaN(value)) {
            return nearest;
        }
        return nearest < value ? Math.nextUp(nearest) : Math.nextDown(nearest);
    }
}
