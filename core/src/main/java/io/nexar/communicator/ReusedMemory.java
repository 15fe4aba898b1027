package io.nexar.communicator;

import java.lang.foreign.MemorySegment;

/**
 * Scratch memory that calls use one after the other: as large as the largest of them wanted. Used
 * by one thread at a time.
 */
final class ReusedMemory {
    private MemorySegment memory = MemorySegment.NULL;

    /** So many bytes, the same ones each time as long as they are enough; of undefined content. */
    MemorySegment of(long bytes) {
        if (memory.byteSize() < bytes) {
            memory = Staging.allocate(bytes);
        }
        return memory.asSlice(0, bytes);
    }
}
