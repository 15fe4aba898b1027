package io.nexar.compress;

import io.nexar.spi.Compressor;

import java.lang.foreign.MemorySegment;

/**
 * Values drawn at random, the same places on all ranks and other ones with each draw (Stich,
 * Cordonnier, Jaggi: "Sparsified SGD with memory", 2018). Indices don't travel: both sides make
 * them from the seed and the draw, by selection sampling (Knuth, The Art of Computer Programming,
 * volume 2, 3.4.2, algorithm S), in one pass and without memory. Values travel as they are; error
 * feedback brings the others later.
 *
 * <p>Bytes: {@code 4 * fraction * count}.
 *
 * @param draw the same on all ranks, another one with each call
 */
record RandomK(double fraction, long randomSeed, long draw) implements Compressor {

    @Override
    public String name() {
        return "randomK(" + fraction + ", " + randomSeed + ")";
    }

    @Override
    public long compressedBytesMax(long count) {
        return Fraction.of(count, fraction) * Float.BYTES;
    }

    @Override
    public long compress(MemorySegment values, MemorySegment target) {
        long count = WireValues.count(values);
        Places places = new Places(this, count);
        long at = 0;
        for (long i = 0; i < count; i++) {
            if (places.isNext()) {
                target.set(WireValues.F32, at, WireValues.get(values, i));
                at += Float.BYTES;
            }
        }
        return at;
    }

    @Override
    public void decompress(MemorySegment source, MemorySegment values) {
        long count = WireValues.count(values);
        WireValues.requireBytes(source, compressedBytesMax(count));
        Places places = new Places(this, count);
        long at = 0;
        for (long i = 0; i < count; i++) {
            float value = 0;
            if (places.isNext()) {
                value = WireValues.requireFinite(source.get(WireValues.F32, at), i);
                at += Float.BYTES;
            }
            WireValues.set(values, i, value);
        }
    }

    /** Says of one place after the other whether it is drawn. */
    private static final class Places {
        private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;
        private long state;
        private long left;
        private long wanted;

        Places(RandomK what, long count) {
            state = mix(mix(what.randomSeed) + what.draw);
            left = count;
            wanted = Fraction.of(count, what.fraction);
        }

        /** With a chance of {@code wanted / left}: never too many, and enough at the end. */
        boolean isNext() {
            state += GOLDEN;
            boolean drawn = Math.unsignedMultiplyHigh(mix(state), left) < wanted;
            left--;
            wanted -= drawn ? 1 : 0;
            return drawn;
        }

        /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
        private static long mix(long value) {
            long z = value;
            z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
            return z ^ (z >>> 31);
        }
    }
}
