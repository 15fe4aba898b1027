package io.nexar.transport.shm;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads what the peer lends: in its area ({@link SharedArea}) where it lies, elsewhere straight
 * from its process, by one copy in the kernel instead of two in the two processes. The progress
 * thread's.
 */
final class PeerMemory {
    private static final Class<?> KEPT = Arena.ofAuto().scope().getClass();
    private static final long IOVEC_BYTES = 16;

    private final int pid;
    private final long areaAddress;
    private final MemorySegment area;
    private final MemorySegment state = Libc.callState();
    private final MemorySegment here = Arena.ofAuto().allocate(IOVEC_BYTES, 8);
    private final MemorySegment there = Arena.ofAuto().allocate(IOVEC_BYTES, 8);

    /**
     * @param place of the peer's area, whatever it says
     * @param arena that the area is mapped in
     */
    PeerMemory(int pid, SharedArea.Place place, Arena arena) {
        this.pid = pid;
        this.areaAddress = place.address();
        this.area = place.map(pid, arena);
    }

    boolean hasArea() {
        return area.byteSize() > 0;
    }

    /** What lies at an address of the peer's, to be read; null if that is not in its area. */
    @Nullable MemorySegment show(long address, long bytes) {
        long at = address - areaAddress;
        return at < 0 || at > area.byteSize() - bytes || !hasArea()
                ? null
                : area.asSlice(at, bytes);
    }

    /**
     * Whether memory stays as long as somebody holds its segment: then an address of it may be
     * given to the system. Memory of any other arena can be freed, and used for something else, by
     * a close at any moment.
     */
    static boolean isKept(MemorySegment memory) {
        return memory.isNative() && memory.scope().getClass() == KEPT;
    }

    /**
     * Copies from an address of the peer's into memory that is kept.
     *
     * @return how many bytes, or the negative error number
     */
    long read(long address, MemorySegment target) {
        here.set(ValueLayout.JAVA_LONG, 0, target.address());
        here.set(ValueLayout.JAVA_LONG, 8, target.byteSize());
        there.set(ValueLayout.JAVA_LONG, 0, address);
        there.set(ValueLayout.JAVA_LONG, 8, target.byteSize());
        return Libc.processVmReadv(state, pid, here, there);
    }

    /** Whether the peer's memory can be read: a word there is known. */
    boolean hasWord(long address, long value) {
        MemorySegment word = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
        return read(address, word) == Long.BYTES && word.get(ValueLayout.JAVA_LONG, 0) == value;
    }
}
