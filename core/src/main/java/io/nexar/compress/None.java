package io.nexar.compress;

import io.nexar.spi.Compressor;

import java.lang.foreign.MemorySegment;

/** All values as they are, NaN and infinities too: 4 bytes a value. */
record None() implements Compressor {
    @Override
    public String name() {
        return "none";
    }

    @Override
    public long compressedBytesMax(long count) {
        return Math.multiplyExact(count, Float.BYTES);
    }

    @Override
    public long compress(MemorySegment values, MemorySegment target) {
        MemorySegment.copy(
                values,
                WireValues.MACHINE_F32,
                0,
                target,
                WireValues.F32,
                0,
                WireValues.count(values));
        return values.byteSize();
    }

    @Override
    public void decompress(MemorySegment source, MemorySegment values) {
        WireValues.requireBytes(source, values.byteSize());
        MemorySegment.copy(
                source,
                WireValues.F32,
                0,
                values,
                WireValues.MACHINE_F32,
                0,
                WireValues.count(values));
    }
}
