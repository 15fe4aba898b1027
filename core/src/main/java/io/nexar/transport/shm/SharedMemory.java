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

    private static final String SHOWN = "/memfd:" + LABEL + " (deleted)";

    /** {@code MFD_CLOEXEC | MFD_ALLOW_SEALING}. */
    private static final int MAKE = 1 | 2;

    /** {@code MFD_NOEXEC_SEAL}, which a system may demand; those before Linux 6.3 refuse it. */
    private static final int MAKE_NOEXEC = 8;

    /** {@code O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC}. */
    private static final int OPEN = 2 | 0x100 | 0x800 | 0x80000;

    private static final int ADD_SEALS = 1033;
    private static final int GET_SEALS = 1034;

    /** {@code F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW}. */
    private static final int SEALS = 1 | 2 | 4;

    private static final int SEEK_END = 2;
    private static final int READ_WRITE = 1 | 2;
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
        int descriptor = Libc.memfdCreate(LABEL, MAKE | MAKE_NOEXEC);
        if (descriptor == -Libc.EINVAL) {
            descriptor = Libc.memfdCreate(LABEL, MAKE);
        }
        require(descriptor, "make shared memory");
        SharedMemory memory = new SharedMemory(descriptor, bytes);
        try {
            int reserved = Libc.posixFallocate(descriptor, 0, bytes);
            require(reserved, "reserve " + bytes + " bytes of shared memory");
            require(Libc.fcntl(descriptor, ADD_SEALS, SEALS), "seal shared memory");
            return memory;
        } catch (RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    /** Opens what another process has under that descriptor, if it is memory of this size. */
    static SharedMemory open(int pid, int peerDescriptor, long bytes) {
        Path link = Path.of("/proc", String.valueOf(pid), "fd", String.valueOf(peerDescriptor));
        requireShown(link);
        int descriptor = Libc.open(link.toString(), OPEN);
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
    private static void requireShown(Path link) {
        try {
            String shown = Files.readSymbolicLink(link).toString();
            if (!shown.equals(SHOWN)) {
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
