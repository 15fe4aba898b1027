package io.nexar.transport.shm;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The part of this process's memory that its peers map, to read what it lends without the system's
 * help: buffers come from here. There is one for the process, as there is one heap, and it lasts as
 * long as the process; what it holds of the system's memory is only what is in use. Thread-safe.
 */
final class SharedArea {
    /**
     * Whole pages, so that what is freed goes back to the system. A system with larger pages gives
     * them back once all of a page is free.
     */
    private static final long GRAIN_BYTES = 4096;

    /** Less than that is copied in no more time than a look at where it lies takes. */
    private static final long SHORTEST_BYTES = RingRecord.AT_ONCE_BYTES + 1;

    /** Addresses are no obstacle up to here. */
    private static final long LONGEST_BYTES = 1L << 40;

    private final SharedMemory memory;
    private final MemorySegment all;
    private final FreeRanges free;

    /** Made when it is first asked for. */
    private static final class Own {
        static final @Nullable SharedArea AREA = make();
    }

    private SharedArea(SharedMemory memory, MemorySegment all) {
        this.memory = memory;
        this.all = all;
        this.free = new FreeRanges(all.byteSize());
    }

    /** This process's; null where the system has no such memory or refuses it. */
    static @Nullable SharedArea own() {
        return Own.AREA;
    }

    /**
     * As much again as the heap may have, which is also how much the JVM gives out of its direct
     * memory unless it is told otherwise: then that begins where this ends.
     */
    private static @Nullable SharedArea make() {
        long bytes = Math.min(Runtime.getRuntime().maxMemory(), LONGEST_BYTES);
        bytes -= bytes % GRAIN_BYTES;
        // Where native calls are not allowed, a buffer is no reason to warn of one, or to fail.
        if (!SharedArea.class.getModule().isNativeAccessEnabled() || !ShmTransport.isHere()) {
            return null;
        }
        try {
            SharedMemory memory = SharedMemory.makeEmpty(bytes);
            return new SharedArea(memory, memory.map(Arena.global()));
        } catch (ShmException e) {
            return null; // buffers are then the JVM's, and are lent as those are
        }
    }

    /** Memory as {@link io.nexar.spi.MemorySource} has it. */
    @Nullable MemorySegment tryAllocate(long bytes) {
        long length = (bytes + GRAIN_BYTES - 1) & -GRAIN_BYTES;
        long at = bytes < SHORTEST_BYTES || length < bytes ? FreeRanges.NONE : free.take(length);
        if (at == FreeRanges.NONE) {
            return null;
        }
        // Reserved now: who writes to it later meets no signal where the system is short of it.
        if (!memory.tryReserve(at, length)) {
            free.give(at, length);
            return null;
        }
        return MemorySegment.ofAddress(all.address() + at)
                .reinterpret(bytes, Arena.ofAuto(), any -> giveBack(at, length));
    }

    /** Of a range that nobody views any more; the next who gets it finds zeros. */
    private void giveBack(long at, long length) {
        if (!memory.tryEmpty(at, length)) {
            all.asSlice(at, length).fill((byte) 0);
        }
        free.give(at, length);
    }

    boolean contains(MemorySegment segment) {
        long at = segment.address() - all.address();
        return at >= 0 && at <= all.byteSize() - segment.byteSize();
    }

    /** Where it is, for peers. */
    Place place() {
        return new Place(all.address(), all.byteSize(), memory.descriptor());
    }

    /**
     * Of some process's area.
     *
     * @param address in its own memory
     * @param bytes 0 if it has none
     * @param descriptor its own
     */
    record Place(long address, long bytes, int descriptor) {
        static final Place NONE = new Place(0, 0, 0);

        /** Maps a peer's area to be read; empty memory if it has none or can't be had. */
        MemorySegment map(int pid, Arena arena) {
            if (bytes <= 0 || bytes > LONGEST_BYTES) {
                return MemorySegment.NULL;
            }
            try (SharedMemory peers = SharedMemory.openArea(pid, descriptor, bytes)) {
                return peers.mapReadOnly(arena);
            } catch (ShmException e) {
                return MemorySegment.NULL; // what lies there is then read by the system
            }
        }
    }
}
