package io.nexar.communicator;

import io.nexar.spi.Compressor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A compressor that {@code ServiceLoader} finds: whole eighths, in a byte. */
public final class Eighths implements Compressor {
    public Eighths() {}

    @Override
    public String name() {
        return "eighths";
    }

    @Override
    public long compressedBytesMax(long count) {
        return count;
    }

    @Override
    public long compress(MemorySegment values, MemorySegment target) {
        long count = values.byteSize() / Float.BYTES;
        for (long i = 0; i < count; i++) {
            float value = values.get(ValueLayout.JAVA_FLOAT_UNALIGNED, i * Float.BYTES);
            target.set(ValueLayout.JAVA_BYTE, i, (byte) (8 * value));
        }
        return count;
    }

    @Override
    public void decompress(MemorySegment source, MemorySegment values) {
        for (long i = 0; i < source.byteSize(); i++) {
            float value = source.get(ValueLayout.JAVA_BYTE, i) / 8f;
            values.set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * Float.BYTES, value);
        }
    }
}
