package io.nexar.spi;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * Where {@link io.nexar.DataBuffer#allocate} gets memory that a transport or a device can reach
 * better than the rest. Found by {@link java.util.ServiceLoader}, and asked by every program in the
 * process. Safe from any number of threads.
 */
public interface MemorySource {
    /**
     * Memory outside the heap, all zero, aligned to a cache line, and freed by itself once nobody
     * views it any more ({@link java.lang.foreign.Arena#ofAuto}). Does not block.
     *
     * @param bytes more than 0
     * @return null if it has none, or none of this size
     */
    @Nullable MemorySegment tryAllocate(long bytes);
}
