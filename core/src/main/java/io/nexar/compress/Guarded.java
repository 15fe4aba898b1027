package io.nexar.compress;

import io.nexar.spi.Compressor;

import java.lang.foreign.MemorySegment;

/** A user's compressor, held to its contract: what it writes, what it refuses, what it makes. */
record Guarded(Compressor compressor) implements Compressor {

    @Override
    public String name() {
        return compressor.name();
    }

    @Override
    public long compressedBytesMax(long count) {
        long bytes = compressor.compressedBytesMax(count);
        if (bytes < 0) {
            throw new IllegalStateException(
                    "%s makes %d bytes of %d values".formatted(name(), bytes, count));
        }
        return bytes;
    }

    @Override
    public long compress(MemorySegment values, MemorySegment target) {
        long bytes = compressor.compress(values.asReadOnly(), target);
        if (bytes < 0 || bytes > target.byteSize()) {
            throw new IllegalStateException(
                    "%s wrote %d bytes into %d".formatted(name(), bytes, target.byteSize()));
        }
        return bytes;
    }

    /** Whatever it throws at bytes from elsewhere says that these are wrong. */
    @Override
    public void decompress(MemorySegment source, MemorySegment values) {
        try {
            compressor.decompress(source.asReadOnly(), values);
        } catch (IllegalArgumentException refused) {
            throw refused;
        } catch (RuntimeException | Error failed) {
            throw new IllegalArgumentException(name() + " failed: " + failed, failed);
        }
        for (long i = 0; i < WireValues.count(values); i++) {
            WireValues.requireFinite(WireValues.get(values, i), i);
        }
    }
}
