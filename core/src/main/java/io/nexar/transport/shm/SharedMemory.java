package io.nexar.transport.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Memory with a descriptor and no name: it is gone with the last process that has it, however that
 * ends, and needs no /dev/shm. Its size is sealed, so that nobody can cut it off under a reader,
 * and reserved, so that there is no bad surprise when it is first written. The descriptor is closed
 * as soon as nobody else has to find it; what is mapped stays.
 *
 * @param descriptor of this process
 */
record SharedMemory(int descriptor, long bytes) implements AutoCloseable {
    /** What the system shows of the descriptor: nothing else is ever opened. */
    private static final String LABEL = "nexar";

    /** An area is not mistaken for the memory of a link. */
    private static final String AREA_LABEL = "nexar-buffers";

    /** {@code MFD_CLOEXEC | MFD_ALLOW_SEALING}. */
    private static final int MAKE = 1 | 2;

    /** {@code MFD_NOEXEC_SEAL}, which a system may demand; those before Linux 6.3 refuse it. */
    private static final int MAKE_NOEXEC = 8;

    /** {@code O_NOCTTY | O_NONBLOCK | O_CLOEXEC}, to read. */
    private static final int OPEN = 0x100 | 0x800 | 0x80000;

    /** {@code O_RDWR}. */
    private static final int TO_WRITE = 2;

    private static final int ADD_SEALS = 1033;
    private static final int GET_SEALS = 1034;

    /** {@code F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW}. */
    private static final int SEALS = 1 | 2 | 4;

    private static final int SEEK_END = 2;
    private static final int READ = 1;
    private static final int READ_WRITE = 1 | 2;

    /** {@code FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE}. */
    private static final int GIVE_BACK = 1 | 2;

    private static final int SHARED = 1;
    private static final int FIXED = 0x10;

    /** {@code MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE}: addresses and nothing behind them. */
    private static final int ADDRESSES = 2 | 0x20 | 0x4000;

    /**
     * A stretch of addresses and the stretch of the memory that is to lie there; several may show
     * the same memory.
     */
    record Window(long at, long offset, long bytes) {}

    /** Makes it, full of zeros. */
    static SharedMemory make(long bytes) {
        SharedMemory memory = create(LABEL, bytes);
        try {
            int reserved = Libc.posixFallocate(memory.descriptor, 0, bytes);
            require(reserved, "reserve " + bytes + " bytes of shared memory");
            memory.seal();
            return memory;
        } catch (RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    /** Makes an area, of which nothing is reserved; whoever writes into it must do that before. */
    static SharedMemory makeEmpty(long bytes) {
        SharedMemory memory = create(AREA_LABEL, bytes);
        try {
            require(Libc.ftruncate(memory.descriptor, bytes), "make an area of " + bytes);
            memory.seal();
            return memory;
        } catch (RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    private static SharedMemory create(String label, long bytes) {
        int descriptor = Libc.memfdCreate(label, MAKE | MAKE_NOEXEC);
        if (descriptor == -Libc.EINVAL) {
            descriptor = Libc.memfdCreate(label, MAKE);
        }
        require(descriptor, "make shared memory");
        return new SharedMemory(descriptor, bytes);
    }

    private void seal() {
        require(Libc.fcntl(descriptor, ADD_SEALS, SEALS), "seal shared memory");
    }

    /** Has the system set so much aside; false if it has not that much. */
    boolean tryReserve(long offset, long length) {
        return Libc.posixFallocate(descriptor, offset, length) == 0;
    }

    /** Gives so much back to the system: it then reads as zeros, and is reserved no more. */
    boolean tryEmpty(long offset, long length) {
        return Libc.fallocate(descriptor, GIVE_BACK, offset, length) == 0;
    }

    /** Opens what another process has under that descriptor, if it is memory of this size. */
    static SharedMemory open(int pid, int peerDescriptor, long bytes) {
        return open(LABEL, linkOf(pid, peerDescriptor), OPEN | TO_WRITE, bytes);
    }

    /** The same of an area, to read only. */
    static SharedMemory openArea(int pid, int peerDescriptor, long bytes) {
        return open(AREA_LABEL, linkOf(pid, peerDescriptor), OPEN, bytes);
    }

    private static Path linkOf(int pid, int peerDescriptor) {
        return Path.of("/proc", String.valueOf(pid), "fd", String.valueOf(peerDescriptor));
    }

    private static SharedMemory open(String label, Path link, int flags, long bytes) {
        requireShown(link, label);
        int descriptor = Libc.open(link.toString(), flags);
        require(descriptor, "open " + link);
        SharedMemory memory = new SharedMemory(descriptor, bytes);
        int seals = Libc.fcntl(descriptor, GET_SEALS, 0);
        if (seals < 0 || (seals & SEALS) != SEALS || Libc.lseek(descriptor, 0, SEEK_END) != bytes) {
            memory.close();
            throw new ShmException(link + " is not sealed memory of " + bytes + " bytes");
        }
        return memory;
    }

    /** Opening something else could have effects. */
    private static void requireShown(Path link, String label) {
        try {
            String shown = Files.readSymbolicLink(link).toString();
            if (!shown.equals("/memfd:" + label + " (deleted)")) {
                throw new ShmException(link + " is " + shown + " and not shared memory");
            }
        } catch (IOException e) {
            throw new ShmException(link + " can't be looked at: " + e, e);
        }
    }

    /** Maps all of it. */
    MemorySegment map(Arena arena) {
        return map(arena, bytes, new Window(0, 0, bytes));
    }

    /** Maps all of it, to read. */
    MemorySegment mapReadOnly(Arena arena) {
        long base = Libc.mmap(new Libc.Mapping(0, bytes, READ, SHARED), descriptor, 0);
        require(base, "map " + bytes + " bytes");
        return MemorySegment.ofAddress(base)
                .reinterpret(bytes, arena, any -> Libc.munmap(base, bytes))
                .asReadOnly();
    }

    /** Maps windows of it into one stretch of addresses, until the arena closes. */
    MemorySegment map(Arena arena, long addressBytes, Window... windows) {
        long base = Libc.mmap(new Libc.Mapping(0, addressBytes, READ_WRITE, ADDRESSES), -1, 0);
        require(base, "find " + addressBytes + " bytes of addresses");
        MemorySegment mapped =
                MemorySegment.ofAddress(base)
                        .reinterpret(addressBytes, arena, any -> Libc.munmap(base, addressBytes));
        for (Window window : windows) {
            Libc.Mapping to =
                    new Libc.Mapping(base + window.at, window.bytes, READ_WRITE, SHARED | FIXED);
            require(Libc.mmap(to, descriptor, window.offset), "map shared memory");
        }
        return mapped;
    }

    private static void require(long result, String what) {
        if (result < 0) {
            throw new ShmException("can't " + what + ": " + Libc.strerror((int) -result));
        }
    }

    @Override
    public void close() {
        Libc.close(descriptor);
    }
}
