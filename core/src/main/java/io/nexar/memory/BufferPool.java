package io.nexar.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Off-heap buffers of one size, made on demand out of an arena and used again and again.
 *
 * <p>The bound is the sum of what its users have reserved: whoever promises credit to a peer
 * reserves the buffers that the peer may fill, so that a promise can always be kept. Memory is
 * taken only when a buffer is first used, and goes back when the arena closes. Guarded by the
 * progress lock of the rank that it belongs to.
 */
public final class BufferPool {
    /** A cache line, so that no two buffers share one. */
    private static final long ALIGNMENT_BYTES = 64;

    private final Arena arena;
    private final int bufferBytes;
    private final List<MemorySegment> free = new ArrayList<>();
    private long reserved;
    private long made;

    /**
     * Makes an empty pool; {@code arena} must be open to every thread that holds the progress lock.
     */
    public BufferPool(Arena arena, int bufferBytes) {
        if (bufferBytes < 1) {
            throw new IllegalArgumentException(
                    "a buffer needs at least one byte, not " + bufferBytes);
        }
        this.arena = arena;
        this.bufferBytes = bufferBytes;
    }

    public int bufferBytes() {
        return bufferBytes;
    }

    /** Raises the bound by so many buffers; returned by {@link #unreserve}. */
    public void reserve(long buffers) {
        reserved += buffers;
    }

    public void unreserve(long buffers) {
        if (buffers > reserved) {
            throw new IllegalArgumentException(
                    "%d buffers unreserved of %d reserved".formatted(buffers, reserved));
        }
        reserved -= buffers;
    }

    /**
     * Returns a buffer of undefined content.
     *
     * @throws IllegalStateException if more buffers are in use than were reserved
     */
    public MemorySegment acquire() {
        if (inUse() >= reserved) {
            throw new IllegalStateException(
                    "all %d reserved buffers of %d bytes are in use"
                            .formatted(reserved, bufferBytes));
        }
        if (free.isEmpty()) {
            MemorySegment fresh = arena.allocate(bufferBytes, ALIGNMENT_BYTES);
            made++;
            return fresh;
        }
        return free.removeLast();
    }

    /** Takes back a buffer that {@link #acquire} gave. */
    public void release(MemorySegment buffer) {
        if (buffer.byteSize() != bufferBytes || inUse() == 0) {
            throw new IllegalArgumentException("not a buffer of this pool: " + buffer);
        }
        free.addLast(buffer);
    }

    /** How many buffers are out. */
    public long inUse() {
        return made - free.size();
    }
}
