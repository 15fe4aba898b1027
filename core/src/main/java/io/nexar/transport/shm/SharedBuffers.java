package io.nexar.transport.shm;

import io.nexar.spi.MemorySource;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/** Lets buffers lie where peers on this host can read them. */
public final class SharedBuffers implements MemorySource {
    @Override
    public @Nullable MemorySegment tryAllocate(long bytes) {
        SharedArea area = SharedArea.own();
        return area == null ? null : area.tryAllocate(bytes);
    }
}
