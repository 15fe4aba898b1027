package io.nexar.communicator;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory of this rank's own for a call that can't use the caller's as it lies. Collected, not
 * closed: after a failed call a transport may still read from it.
 */
final class Staging {
    /** A cache line, and the widest vector there is, as for a caller's own memory. */
    private static final long ALIGNMENT_BYTES = 64;

    private Staging() {}

    static MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(bytes, ALIGNMENT_BYTES);
    }

    static MemorySegment copy(MemorySegment source) {
        MemorySegment copy = allocate(source.byteSize());
        MemorySegment.copy(source, 0, copy, 0, source.byteSize());
        return copy;
    }
}
