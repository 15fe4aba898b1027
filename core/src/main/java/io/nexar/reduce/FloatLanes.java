package io.nexar.reduce;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One block of F32, F16 or BF16 as {@code float} lanes. Scratch memory of the thread that reduces;
 * nobody else sees it.
 *
 * <p>Which NaN comes out must not depend on what the machine or the compiler make of it, else ranks
 * end with different bits: a NaN result has the bits of the left operand if that is a NaN, else
 * those of the right one, else (infinity minus infinity) the canonical ones; of several operands
 * combined at once, the bits of the first that is a NaN. That is put right after the fact, in the
 * rare block that has one, from the operands as they were stored: the loops that compute know
 * nothing of it and stay free of branches.
 *
 * <p>Bits change between {@code float[]} and {@code int[]} by a copy of memory, because the
 * compiler makes no vector instructions of {@code Float.floatToRawIntBits}. It has some for F16.
 */
final class FloatLanes {
    private static final ThreadLocal<FloatLanes> OF_THREAD =
            ThreadLocal.withInitial(FloatLanes::new);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    /** BF16s in a word. */
    static final int PARTS = 2;

    /** Sooner moved one by one than by copies, of which each is a call. */
    private static final int FEW = 8;

    private static final int INFINITY = 0x7F80_0000;
    private static final int CANONICAL = 0x7FC0_0000;
    private static final short F16_CANONICAL = 0x7E00;

    final Operand left = new Operand();
    final Operand right = new Operand();
    final Words sums = new Words();
    final float[] result = new float[IntLanes.BLOCK];
    private final MemorySegment resultMemory = MemorySegment.ofArray(result);
    private final int[] bits = new int[IntLanes.BLOCK];
    private final MemorySegment bitsMemory = MemorySegment.ofArray(bits);
    private final short[] f16Result = new short[IntLanes.BLOCK];

    /** An operand's lanes; of halves, as they were stored too. */
    static final class Operand {
        final float[] lanes = new float[IntLanes.BLOCK];
        private final MemorySegment lanesMemory = MemorySegment.ofArray(lanes);
        final Words words = new Words();
        private final short[] f16 = new short[IntLanes.BLOCK];
    }

    private FloatLanes() {}

    static FloatLanes ofThread() {
        return OF_THREAD.get();
    }

    void loadF32(MemorySegment from, long offset, Operand to, int count) {
        if (count <= FEW) {
            for (int i = 0; i < count; i++) {
                to.lanes[i] = from.get(FLOAT, offset + (long) i * Float.BYTES);
            }
            return;
        }
        MemorySegment.copy(from, FLOAT, offset, to.lanes, 0, count);
    }

    void loadF16(MemorySegment from, long offset, Operand to, int count) {
        MemorySegment.copy(from, SHORT, offset, to.f16, 0, count);
        widenF16(to.f16, to.lanes, count);
    }

    /** Takes a part of the operand's words, see {@link Words}. */
    void takeBf16(Operand operand, int part, int count) {
        operand.words.takeUpper(part, Short.SIZE, bits, count);
        MemorySegment.copy(bitsMemory, FLOAT, 0, operand.lanes, 0, count);
    }

    void storeF32(MemorySegment to, long offset, int count) {
        if (count <= FEW) {
            storeFew(to, offset, count);
            return;
        }
        settleBits(count);
        MemorySegment.copy(bits, 0, to, INT, offset, count);
    }

    private void storeFew(MemorySegment to, long offset, int count) {
        for (int i = 0; i < count; i++) {
            int each =
                    Float.isNaN(result[i])
                            ? nanOf(left.lanes[i], right.lanes[i])
                            : Float.floatToRawIntBits(result[i]);
            to.set(INT, offset + (long) i * Integer.BYTES, each);
        }
    }

    void storeF16(MemorySegment to, long offset, int count) {
        MemorySegment.copy(resultMemory, INT, 0, bits, 0, count);
        narrowF16(result, f16Result, count);
        if (hasNan(bits, count)) {
            settleF16Nans(count);
        }
        MemorySegment.copy(f16Result, 0, to, SHORT, offset, count);
    }

    /** Rounds the left lanes, in which all operands have come together from that element on. */
    void storeF16(Operands operands, long first, MemorySegment to, long offset, int count) {
        MemorySegment.copy(left.lanesMemory, INT, 0, bits, 0, count);
        narrowF16(left.lanes, f16Result, count);
        if (hasNan(bits, count)) {
            for (int i = 0; i < count; i++) {
                if (Float.isNaN(left.lanes[i])) {
                    f16Result[i] = firstF16Nan(operands, first + i);
                }
            }
        }
        MemorySegment.copy(f16Result, 0, to, SHORT, offset, count);
    }

    /** The same, into the part of the words. */
    void putBf16(Operands operands, long first, Words words, int part, int count) {
        MemorySegment.copy(left.lanesMemory, INT, 0, bits, 0, count);
        if (hasNan(bits, count)) {
            for (int i = 0; i < count; i++) {
                if (Float.isNaN(left.lanes[i])) {
                    bits[i] = firstBf16Nan(operands, first + (long) PARTS * i + part);
                }
            }
        }
        roundBf16(bits, count);
        words.put(part, Short.SIZE, bits, count);
    }

    private static short firstF16Nan(Operands operands, long element) {
        for (int i = 0; i < operands.count(); i++) {
            short half = operands.half(i, element);
            if (HalfFloats.isF16Nan(half)) {
                return half;
            }
        }
        return F16_CANONICAL;
    }

    private static int firstBf16Nan(Operands operands, long element) {
        for (int i = 0; i < operands.count(); i++) {
            short half = operands.half(i, element);
            if (HalfFloats.isBf16Nan(half)) {
                return half << Short.SIZE;
            }
        }
        return CANONICAL;
    }

    /** Rounds, and puts the result into the part of the words. */
    void putBf16(Words words, int part, int count) {
        settleBits(count);
        // Of a NaN, which is a widened half, the lower bits are 0: it stays what it is.
        roundBf16(bits, count);
        words.put(part, Short.SIZE, bits, count);
    }

    private void settleBits(int count) {
        MemorySegment.copy(resultMemory, INT, 0, bits, 0, count);
        if (!hasNan(bits, count)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            if (Float.isNaN(result[i])) {
                bits[i] = nanOf(left.lanes[i], right.lanes[i]);
            }
        }
    }

    private static int nanOf(float left, float right) {
        if (Float.isNaN(left)) {
            return Float.floatToRawIntBits(left);
        }
        return Float.isNaN(right) ? Float.floatToRawIntBits(right) : CANONICAL;
    }

    private void settleF16Nans(int count) {
        for (int i = 0; i < count; i++) {
            if (Float.isNaN(result[i])) {
                f16Result[i] = f16NanOf(left.f16[i], right.f16[i]);
            }
        }
    }

    private static short f16NanOf(short left, short right) {
        if (HalfFloats.isF16Nan(left)) {
            return left;
        }
        return HalfFloats.isF16Nan(right) ? right : F16_CANONICAL;
    }

    /** Infinity less the magnitude is negative for a NaN and for nothing else. */
    private static boolean hasNan(int[] bits, int count) {
        int anyNegative = 0;
        for (int i = 0; i < count; i++) {
            anyNegative |= INFINITY - (bits[i] & Integer.MAX_VALUE);
        }
        return anyNegative < 0;
    }

    private static void widenF16(short[] from, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = Float.float16ToFloat(from[i]);
        }
    }

    private static void narrowF16(float[] from, short[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = Float.floatToFloat16(from[i]);
        }
    }

    private static void roundBf16(int[] lanes, int count) {
        for (int i = 0; i < count; i++) {
            lanes[i] = HalfFloats.bf16OfNumber(lanes[i]);
        }
    }
}
