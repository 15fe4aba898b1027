package io.nexar.reduce;

import java.lang.foreign.MemorySegment;

/** A loop over whole vectors of one operation, type, and kind of memory. Offsets are in bytes. */
interface VectorLoop {
    /** As {@link Kernel#reduce}, but for the length in bytes: a multiple of a vector's. */
    void reduce(
            MemorySegment left,
            long leftOffset,
            MemorySegment right,
            long rightOffset,
            MemorySegment target,
            long targetOffset,
            long bytes);

    /** Divides numbers by the size of the world, in place. */
    void divide(MemorySegment target, long offset, long bytes, int worldSize);
}
