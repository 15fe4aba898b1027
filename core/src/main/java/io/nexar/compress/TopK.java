package io.nexar.compress;

import io.nexar.spi.Compressor;

import java.lang.foreign.MemorySegment;

/**
 * The values of the largest magnitude with their indices (Aji, Heafield: "Sparse communication for
 * distributed gradient descent", 2017); of equal ones those with the smallest indices. Entries of 8
 * bytes, index before value, by ascending index; zeros are not sent. Exact: the k-th largest
 * magnitude is found by a radix select, three passes over the values with a histogram of a digit of
 * their bits each, which are ordered like the magnitudes.
 *
 * <p>Bytes: {@code 8 * fraction * count} at most.
 */
record TopK(double fraction) implements Compressor {
    private static final int ENTRY_BYTES = Integer.BYTES + Float.BYTES;
    private static final int MAGNITUDE_BITS = 0x7FFF_FFFF;

    /** Of the 31 bits, 11 first, then 10 and 10: where each digit begins. */
    private static final int[] DIGIT_SHIFTS = {20, 10, 0};

    private static final int FIRST_DIGIT_BITS = 11;
    private static final int DIGIT_BITS = 10;

    /** What is sent: everything above the threshold, and the first so many of those at it. */
    private record Selection(int threshold, long atThreshold) {}

    @Override
    public String name() {
        return "topK(" + fraction + ")";
    }

    @Override
    public long compressedBytesMax(long count) {
        if (count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "%d values for %s; indices go to %d".formatted(count, name(), MAGNITUDE_BITS));
        }
        return Fraction.of(count, fraction) * ENTRY_BYTES;
    }

    @Override
    public long compress(MemorySegment values, MemorySegment target) {
        int count = (int) WireValues.count(values);
        if (count == 0) {
            return 0;
        }
        Selection selection = select(values, count, Fraction.of(count, fraction));
        long ties = selection.atThreshold();
        long at = 0;
        for (int i = 0; i < count; i++) {
            int magnitude = magnitude(values, i);
            boolean isTie = magnitude == selection.threshold() && ties > 0;
            if (magnitude != 0 && (isTie || magnitude > selection.threshold())) {
                ties -= isTie ? 1 : 0;
                target.set(WireValues.I32, at, i);
                target.set(WireValues.F32, at + Integer.BYTES, WireValues.get(values, i));
                at += ENTRY_BYTES;
            }
        }
        return at;
    }

    private static Selection select(MemorySegment values, int count, long wanted) {
        int known = 0;
        int knownMask = 0;
        long rest = wanted;
        for (int shift : DIGIT_SHIFTS) {
            int digitMask = (1 << (knownMask == 0 ? FIRST_DIGIT_BITS : DIGIT_BITS)) - 1;
            int[] histogram = new int[digitMask + 1];
            for (int i = 0; i < count; i++) {
                int magnitude = magnitude(values, i);
                if ((magnitude & knownMask) == known) {
                    histogram[magnitude >>> shift & digitMask]++;
                }
            }
            int digit = digitMask;
            while (histogram[digit] < rest) {
                rest -= histogram[digit--];
            }
            known |= digit << shift;
            knownMask |= digitMask << shift;
        }
        return new Selection(known, rest);
    }

    private static int magnitude(MemorySegment values, int index) {
        return Float.floatToRawIntBits(WireValues.get(values, index)) & MAGNITUDE_BITS;
    }

    @Override
    public void decompress(MemorySegment source, MemorySegment values) {
        long count = WireValues.count(values);
        long bytesMax = compressedBytesMax(count);
        if (source.byteSize() > bytesMax || source.byteSize() % ENTRY_BYTES != 0) {
            throw new IllegalArgumentException(
                    "%d bytes; entries have %d each, and %s of %d values at most %d together"
                            .formatted(source.byteSize(), ENTRY_BYTES, name(), count, bytesMax));
        }
        values.fill((byte) 0);
        int last = -1;
        for (long at = 0; at < source.byteSize(); at += ENTRY_BYTES) {
            int index = source.get(WireValues.I32, at);
            if (index <= last || index >= count) {
                throw new IllegalArgumentException(
                        "index %d after %d, of %d values; they ascend"
                                .formatted(index, last, count));
            }
            float value = source.get(WireValues.F32, at + Integer.BYTES);
            WireValues.set(values, index, WireValues.requireFinite(value, index));
            last = index;
        }
    }
}
