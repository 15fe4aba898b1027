package io.nexar.spi;

import java.lang.foreign.MemorySegment;

/**
 * Makes values smaller than they are, and less exact. Used by {@link
 * io.nexar.Communicator#allReduceCompressed} through {@link io.nexar.CompressionState#of}, or found
 * by {@link java.util.ServiceLoader} and chosen by name. Safe from any number of threads, so
 * without state: what is left out is kept by the {@code CompressionState}.
 *
 * <p>The same values must give the same bytes on every machine, and decompressing them the same
 * values.
 */
public interface Compressor {

    /** What the settings call it. */
    String name();

    /** The most bytes that {@code count} values can become. */
    long compressedBytesMax(long count);

    /**
     * Compresses.
     *
     * @param values F32, in the machine's byte order
     * @param target at least {@link #compressedBytesMax} bytes
     * @return how many bytes of the target were written
     */
    long compress(MemorySegment values, MemorySegment target);

    /**
     * Decompresses what a peer sent.
     *
     * @param source exactly what was written
     * @param values F32; each of them is written, those that were left out with zero
     * @throws IllegalArgumentException if the bytes are not what a compressor writes, before
     *     anything is written outside of the target
     */
    void decompress(MemorySegment source, MemorySegment values);
}
