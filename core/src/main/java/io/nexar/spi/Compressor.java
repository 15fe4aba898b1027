package io.nexar.spi;

import java.lang.foreign.MemorySegment;

/**
 * Makes values smaller than they are, and less exact. Used by {@link
 * io.nexar.Communicator#allReduceCompressed} through {@link io.nexar.CompressionState#of}, or found
 * by {@link java.util.ServiceLoader} and chosen by its name ({@code nexar.compressor}). Safe from
 * any number of threads, so without state: what is left out is kept by the {@code
 * CompressionState}.
 *
 * <p>The same values must give the same bytes on every machine, and decompressing them the same
 * values.
 */
public interface Compressor {

    /**
     * The method with its parameters, for example {@code mine(3)}: ranks whose names differ do not
     * compress alike, and get a {@link io.nexar.MismatchException}.
     */
    String name();

    /**
     * The most bytes that {@code count} values can become, the same on all ranks. So many are sent
     * by each of them, whatever {@link #compress} makes: that way it takes one exchange.
     */
    long compressedBytesMax(long count);

    /**
     * Compresses.
     *
     * @param values F32, in the machine's byte order; all finite, and not to be written
     * @param target at least {@link #compressedBytesMax} bytes
     * @return how many bytes of the target were written
     */
    long compress(MemorySegment values, MemorySegment target);

    /**
     * Decompresses what a peer sent.
     *
     * @param source exactly what was written
     * @param values F32; each of them is written, those that were left out with zero, and all with
     *     finite numbers
     * @throws IllegalArgumentException if the bytes are not what a compressor writes, before
     *     anything is written outside of the target
     */
    void decompress(MemorySegment source, MemorySegment values);
}
