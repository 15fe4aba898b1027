package io.nexar.property;

import io.nexar.DataType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Elements in memory, and what their bits mean. Written out here: nothing of the product's. */
final class Elements {
    private static final int F16_SUBNORMAL_EXPONENT = -24;

    private Elements() {}

    /** All elements of that memory. */
    static List<Element> read(MemorySegment memory, DataType type) {
        int bytes = type.bytes();
        List<Element> elements = new ArrayList<>();
        for (long at = 0; at < memory.byteSize(); at += bytes) {
            int valueBytes = valueBytes(type);
            long bits = readBits(memory, at, valueBytes);
            long index =
                    type.isPair() ? readSigned(memory, at + valueBytes, bytes - valueBytes) : 0;
            elements.add(new Element(bits, index));
        }
        return elements;
    }

    /** Writes all of them from the memory's begin. */
    static void write(MemorySegment memory, DataType type, List<Element> elements) {
        int bytes = type.bytes();
        int valueBytes = valueBytes(type);
        long at = 0;
        for (Element element : elements) {
            writeBits(memory, at, valueBytes, element.bits());
            if (type.isPair()) {
                writeBits(memory, at + valueBytes, bytes - valueBytes, element.index());
            }
            at += bytes;
        }
    }

    /** What a floating-point type's bits stand for; every value of these types is a double. */
    static double real(DataType type, long bits) {
        return switch (type) {
            case F64, F64_I64 -> Double.longBitsToDouble(bits);
            case F32, F32_I32 -> Float.intBitsToFloat((int) bits);
            case BF16 -> Float.intBitsToFloat((int) bits << 16);
            case F16 -> half((int) bits);
            default -> throw new IllegalArgumentException(type + " holds no real numbers");
        };
    }

    /** What an integer type's bits stand for. */
    static BigInteger whole(DataType type, long bits) {
        int width = 8 * valueBytes(type);
        BigInteger unsigned = new BigInteger(Long.toUnsignedString(bits & mask(width)));
        boolean isNegative = !type.isUnsigned() && unsigned.testBit(width - 1);
        return isNegative ? unsigned.subtract(BigInteger.ONE.shiftLeft(width)) : unsigned;
    }

    /** The low bits that an integer type keeps of a number. */
    static long wrap(DataType type, BigInteger number) {
        return number.longValue() & mask(8 * valueBytes(type));
    }

    static boolean isReal(DataType type) {
        return type.isFloatingPoint() || type == DataType.F32_I32 || type == DataType.F64_I64;
    }

    /** Of the value, without a pair's index. */
    static int valueBytes(DataType type) {
        return type.isPair() ? type.bytes() / 2 : type.bytes();
    }

    private static long mask(int width) {
        return width == Long.SIZE ? -1 : (1L << width) - 1;
    }

    private static double half(int bits) {
        int sign = (bits >> 15 & 1) == 0 ? 1 : -1;
        int exponent = bits >> 10 & 0x1f;
        int fraction = bits & 0x3ff;
        if (exponent == 0x1f) {
            return fraction == 0 ? sign * Double.POSITIVE_INFINITY : Double.NaN;
        }
        if (exponent == 0) {
            return sign * Math.scalb((double) fraction, F16_SUBNORMAL_EXPONENT);
        }
        return sign * Math.scalb((double) (fraction | 0x400), exponent - 25);
    }

    private static long readBits(MemorySegment memory, long at, int bytes) {
        return readSigned(memory, at, bytes) & mask(8 * bytes);
    }

    private static long readSigned(MemorySegment memory, long at, int bytes) {
        return switch (bytes) {
            case 1 -> memory.get(ValueLayout.JAVA_BYTE, at);
            case 2 -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
            case 4 -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            case 8 -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
            default -> throw new IllegalArgumentException("no type has " + bytes + " bytes");
        };
    }

    private static void writeBits(MemorySegment memory, long at, int bytes, long bits) {
        switch (bytes) {
            case 1 -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
            case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) bits);
            case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
            case 8 -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
            default -> throw new IllegalArgumentException("no type has " + bytes + " bytes");
        }
    }
}
