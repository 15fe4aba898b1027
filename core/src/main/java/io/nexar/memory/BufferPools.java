package io.nexar.memory;

import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;

/**
 * The pools of one rank, one for each size, so that a short buffer never takes the room of a long
 * one. Guarded by the progress lock of the rank, like its pools.
 */
public final class BufferPools {
    private final Arena arena;
    private final Map<Integer, BufferPool> ofBytes = new HashMap<>();

    /** Pools that take their memory from there: see {@link BufferPool}. */
    public BufferPools(Arena arena) {
        this.arena = arena;
    }

    /** The pool of buffers of so many bytes. */
    public BufferPool of(int bufferBytes) {
        return ofBytes.computeIfAbsent(bufferBytes, bytes -> new BufferPool(arena, bytes));
    }
}
