package io.nexar.compress;

import io.nexar.spi.Compressor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Every value in 8 bits: blocks of 256 values, each with an F32 scale and then a signed byte a
 * value, which stands for {@code byte * scale}. The scale is a 127th of the block's largest
 * magnitude, so that one large value costs the precision of its block only (Dettmers, Lewis,
 * Shleifer, Zettlemoyer: "8-bit optimizers via block-wise quantization", 2021); rounding is to
 * nearest even. An error is at most half a scale.
 *
 * <p>Bytes: {@code count + 4 * ceil(count / 256)}, a quarter of F32 and a little more.
 */
record Quantize8() implements Compressor {
    /** A scale then costs an eighth of a bit a value. */
    static final int BLOCK = 256;

    private static final int STEPS = 127;

    /** The largest scale that makes no infinity: a little less than exact is. */
    private static final float SCALE_MAX = Math.nextDown(Float.MAX_VALUE / STEPS);

    @Override
    public String name() {
        return "quantize8";
    }

    @Override
    public long compressedBytesMax(long count) {
        return Math.addExact(count, Math.ceilDiv(count, BLOCK) * Float.BYTES);
    }

    @Override
    public long compress(MemorySegment values, MemorySegment target) {
        long count = WireValues.count(values);
        long at = 0;
        for (long first = 0; first < count; first += BLOCK) {
            long end = Math.min(first + BLOCK, count);
            float scale = scale(values, first, end);
            target.set(WireValues.F32, at, scale);
            at += Float.BYTES;
            for (long i = first; i < end; i++) {
                target.set(ValueLayout.JAVA_BYTE, at++, steps(WireValues.get(values, i), scale));
            }
        }
        return at;
    }

    private static float scale(MemorySegment values, long first, long end) {
        float largest = 0;
        for (long i = first; i < end; i++) {
            largest = Math.max(largest, Math.abs(WireValues.get(values, i)));
        }
        return Math.min(largest / STEPS, SCALE_MAX);
    }

    /** Cut to the range: a scale that was rounded down may make more steps of the largest. */
    private static byte steps(float value, float scale) {
        return scale == 0 ? 0 : (byte) Math.clamp(Math.rint(value / (double) scale), -STEPS, STEPS);
    }

    @Override
    public void decompress(MemorySegment source, MemorySegment values) {
        long count = WireValues.count(values);
        WireValues.requireBytes(source, compressedBytesMax(count));
        long at = 0;
        for (long first = 0; first < count; first += BLOCK) {
            long end = Math.min(first + BLOCK, count);
            float scale = requireScale(source.get(WireValues.F32, at), first);
            at += Float.BYTES;
            for (long i = first; i < end; i++) {
                byte steps = requireSteps(source.get(ValueLayout.JAVA_BYTE, at++), i);
                WireValues.set(values, i, steps * scale);
            }
        }
    }

    private static float requireScale(float scale, long first) {
        if (!(scale >= 0 && scale <= SCALE_MAX)) {
            throw new IllegalArgumentException(
                    "the scale of the block from value %d is %s; it is 0 to %s"
                            .formatted(first, scale, SCALE_MAX));
        }
        return scale;
    }

    private static byte requireSteps(byte steps, long index) {
        if (steps < -STEPS) {
            throw new IllegalArgumentException(
                    "value %d has %d steps; they go from %d to %d"
                            .formatted(index, steps, -STEPS, STEPS));
        }
        return steps;
    }
}
