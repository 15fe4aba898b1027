package io.nexar.property;

import io.nexar.DataType;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Seeded elements that suit a reduction: numbers whose sums are exact, numbers that round, or the
 * odd ones (NaN, infinities, zeros of both signs, the smallest numbers), a profile a case.
 */
record Draw(DataType type, @Nullable Reduction reduction, Profile profile) {
    enum Profile {
        EXACT,
        ROUGH,
        ODD
    }

    /** Pairs meet in few values, so that the index decides. */
    private static final int PAIR_VALUES = 3;

    List<Element> elements(RandomGenerator random, long count) {
        List<Element> elements = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            long index = type.isPair() ? random.nextInt(1000) : 0;
            elements.add(new Element(bits(random), index));
        }
        return elements;
    }

    private long bits(RandomGenerator random) {
        if (reduction == null || reduction == Reduction.RIGHT || reduction == Reduction.LEFT) {
            return reduction == null ? anyBits(random) : quiet(random);
        }
        return Elements.isReal(type) ? encode(real(random)) : whole(random);
    }

    private long anyBits(RandomGenerator random) {
        return random.nextLong() >>> Long.SIZE - 8 * Elements.valueBytes(type);
    }

    /** Any bits but those of a NaN, whose payload an operation may change. */
    private long quiet(RandomGenerator random) {
        long bits = anyBits(random);
        return Elements.isReal(type) && Double.isNaN(Elements.real(type, bits)) ? 0 : bits;
    }

    private long whole(RandomGenerator random) {
        if (type.isPair()) {
            return random.nextInt(PAIR_VALUES);
        }
        boolean isLogical =
                reduction == Reduction.LAND
                        || reduction == Reduction.LOR
                        || reduction == Reduction.LXOR;
        // Few zeros, or few others, so that a logical result is not always the same.
        boolean isZero = isLogical && random.nextInt(10) < (profile == Profile.EXACT ? 1 : 8);
        return isZero ? 0 : anyBits(random);
    }

    private double real(RandomGenerator random) {
        boolean isOdd = profile == Profile.ODD && random.nextInt(4) == 0;
        if (isOdd || type.isPair()) {
            return odd(random);
        }
        if (reduction == Reduction.PROD) {
            double factor =
                    profile == Profile.EXACT ? 1 + random.nextInt(2) : 0.5 + random.nextDouble();
            return random.nextBoolean() ? factor : -factor;
        }
        return profile == Profile.EXACT ? random.nextInt(-8, 9) : 2 * random.nextDouble() - 1;
    }

    private double odd(RandomGenerator random) {
        return switch (random.nextInt(profile == Profile.ODD ? 7 : 4)) {
            case 0 -> 0.0;
            case 1 -> -0.0;
            case 2 -> 1;
            case 3 -> -2;
            case 4 -> Double.NaN;
            case 5 -> Double.POSITIVE_INFINITY;
            default -> Double.NEGATIVE_INFINITY;
        };
    }

    /** Some bits near that number: truncated, since it need not be the nearest. */
    private long encode(double number) {
        return switch (type) {
            case F64, F64_I64 -> Double.doubleToRawLongBits(number);
            case F32, F32_I32 -> Integer.toUnsignedLong(Float.floatToRawIntBits((float) number));
            case BF16 -> Float.floatToRawIntBits((float) number) >>> 16;
            case F16 -> half(number);
            default -> throw new IllegalArgumentException(type + " holds no real numbers");
        };
    }

    private static long half(double number) {
        long sign = Double.doubleToRawLongBits(number) >>> 63 << 15;
        double size = Math.abs(number);
        if (Double.isNaN(number)) {
            return sign | 0x7e00;
        }
        if (Double.isInfinite(number)) {
            return sign | 0x7c00;
        }
        if (size < 0x1p-14) {
            return sign | (long) (size * 0x1p24);
        }
        int exponent = Math.getExponent(size);
        long fraction = (long) (Math.scalb(size, 10 - exponent)) & 0x3ff;
        return sign | (long) (exponent + 15) << 10 | fraction;
    }
}
