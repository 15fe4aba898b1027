package io.nexar.reduce;

import java.math.BigInteger;

/**
 * Binary floating point of any width in whole numbers: what IEEE 754 says, nothing of what a
 * machine does. A number is {@code m * 2^e}.
 */
record ExactFloat(int bits, int fractionBits) {
    static final ExactFloat F64 = new ExactFloat(64, 52);
    static final ExactFloat F32 = new ExactFloat(32, 23);
    static final ExactFloat F16 = new ExactFloat(16, 10);
    static final ExactFloat BF16 = new ExactFloat(16, 7);

    /** A finite number; the sign of zero is kept beside it. */
    record Value(BigInteger m, int e, boolean isNegativeZero) {
        static Value of(BigInteger m, int e) {
            return new Value(m, e, false);
        }

        Value plus(Value other) {
            if (m.signum() == 0 && other.m.signum() == 0) {
                return new Value(BigInteger.ZERO, 0, isNegativeZero && other.isNegativeZero);
            }
            int least = Math.min(e, other.e);
            return of(m.shiftLeft(e - least).add(other.m.shiftLeft(other.e - least)), least);
        }

        Value times(Value other) {
            boolean isNegative = isNegative() != other.isNegative();
            BigInteger product = m.multiply(other.m);
            return new Value(product, e + other.e, product.signum() == 0 && isNegative);
        }

        boolean isNegative() {
            return m.signum() < 0 || isNegativeZero;
        }

        /** As Math.min and Math.max order: -0.0 below +0.0. */
        int compare(Value other) {
            int least = Math.min(e, other.e);
            int order = m.shiftLeft(e - least).compareTo(other.m.shiftLeft(other.e - least));
            return order != 0 ? order : Boolean.compare(other.isNegative(), isNegative());
        }
    }

    long infinity() {
        return (1L << (bits - 1)) - (1L << fractionBits);
    }

    long canonicalNan() {
        return infinity() | 1L << (fractionBits - 1);
    }

    long sign() {
        return 1L << (bits - 1);
    }

    private long magnitude(long pattern) {
        return pattern & (sign() - 1);
    }

    boolean isNan(long pattern) {
        return magnitude(pattern) > infinity();
    }

    boolean isInfinite(long pattern) {
        return magnitude(pattern) == infinity();
    }

    boolean isNegative(long pattern) {
        return (pattern & sign()) != 0;
    }

    /** The exponent of the last bit of a subnormal. */
    private int leastExponent() {
        int bias = (1 << (bits - fractionBits - 2)) - 1;
        return 1 - bias - fractionBits;
    }

    Value decode(long pattern) {
        long magnitude = magnitude(pattern);
        int field = (int) (magnitude >>> fractionBits);
        long fraction = magnitude & ((1L << fractionBits) - 1);
        BigInteger m = BigInteger.valueOf(field == 0 ? fraction : fraction | 1L << fractionBits);
        int e = leastExponent() + Math.max(0, field - 1);
        boolean isNegative = isNegative(pattern);
        return new Value(isNegative ? m.negate() : m, e, isNegative && m.signum() == 0);
    }

    long encode(Value value) {
        return encode(value, 1);
    }

    /** The quotient, rounded once to nearest even. */
    long encode(Value value, int divisor) {
        long sign = value.isNegative() ? sign() : 0;
        BigInteger m = value.m().abs();
        if (m.signum() == 0) {
            return sign;
        }
        BigInteger d = BigInteger.valueOf(divisor);
        int k =
                Math.max(
                        leastExponent(),
                        m.bitLength() + value.e() - d.bitLength() - fractionBits - 1);
        BigInteger quotient = rounded(m, value.e(), d, k);
        while (quotient.bitLength() > fractionBits + 1
                && !quotient.equals(BigInteger.ONE.shiftLeft(fractionBits + 1))) {
            quotient = rounded(m, value.e(), d, ++k);
        }
        BigInteger pattern =
                BigInteger.valueOf(k - leastExponent()).shiftLeft(fractionBits).add(quotient);
        BigInteger infinity = BigInteger.valueOf(infinity());
        return sign | pattern.min(infinity).longValueExact();
    }

    /** {@code m * 2^e / (d * 2^k)} to nearest even. */
    private static BigInteger rounded(BigInteger m, int e, BigInteger d, int k) {
        BigInteger numerator = m.shiftLeft(Math.max(0, e - k));
        BigInteger denominator = d.shiftLeft(Math.max(0, k - e));
        BigInteger[] parts = numerator.divideAndRemainder(denominator);
        int half = parts[1].shiftLeft(1).compareTo(denominator);
        boolean isUp = half > 0 || (half == 0 && parts[0].testBit(0));
        return isUp ? parts[0].add(BigInteger.ONE) : parts[0];
    }
}
