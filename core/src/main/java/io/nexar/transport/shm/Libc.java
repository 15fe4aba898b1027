package io.nexar.transport.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The calls into the C library that mapped memory takes, as they are: where one fails, the result
 * is the negative error number. Linux only, so nobody may touch this class before {@link
 * ShmTransport#open} has looked whether they are there. Thread-safe.
 */
final class Libc {
    /** No such process. */
    static final int ESRCH = 3;

    /** Bad address. */
    static final int EFAULT = 14;

    static final int EINVAL = 22;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LOOKUP = LINKER.defaultLookup();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MemoryLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_FIELD =
            CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle MEMFD_CREATE =
            find("memfd_create", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT), ERRNO);
    private static final MethodHandle POSIX_FALLOCATE =
            find("posix_fallocate", FunctionDescriptor.of(INT, INT, LONG, LONG));
    private static final MethodHandle FALLOCATE =
            find("fallocate", FunctionDescriptor.of(INT, INT, INT, LONG, LONG), ERRNO);
    private static final MethodHandle FTRUNCATE =
            find("ftruncate", FunctionDescriptor.of(INT, INT, LONG), ERRNO);
    private static final MethodHandle FCNTL =
            find(
                    "fcntl",
                    FunctionDescriptor.of(INT, INT, INT, LONG),
                    ERRNO,
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle OPEN =
            find(
                    "open",
                    FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT, INT),
                    ERRNO,
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle LSEEK =
            find("lseek", FunctionDescriptor.of(LONG, INT, LONG, INT), ERRNO);
    private static final MethodHandle CLOSE = find("close", FunctionDescriptor.of(INT, INT));
    private static final MethodHandle MMAP =
            find("mmap", FunctionDescriptor.of(LONG, LONG, LONG, INT, INT, INT, LONG), ERRNO);
    private static final MethodHandle MUNMAP =
            find("munmap", FunctionDescriptor.of(INT, LONG, LONG));
    private static final MethodHandle PROCESS_VM_READV =
            find(
                    "process_vm_readv",
                    FunctionDescriptor.of(
                            LONG, INT, ValueLayout.ADDRESS, LONG, ValueLayout.ADDRESS, LONG, LONG),
                    ERRNO);
    private static final MethodHandle GETEUID = find("geteuid", FunctionDescriptor.of(INT));
    private static final MethodHandle STRERROR =
            find("strerror", FunctionDescriptor.of(ValueLayout.ADDRESS, INT));
    private static final MethodHandle UNAME =
            find("uname", FunctionDescriptor.of(INT, ValueLayout.ADDRESS));

    /** For the one call that the C library has no name for. */
    private static final MethodHandle SYSCALL =
            find(
                    "syscall",
                    FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG),
                    Linker.Option.firstVariadicArg(1));

    private static final long FUTEX = futexNumber();

    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;

    private Libc() {}

    static int memfdCreate(String label, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            return checked(
                    state, (int) MEMFD_CREATE.invokeExact(state, arena.allocateFrom(label), flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int posixFallocate(int descriptor, long offset, long bytes) {
        try {
            return -(int) POSIX_FALLOCATE.invokeExact(descriptor, offset, bytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int fallocate(int descriptor, int mode, long offset, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            return checked(
                    state, (int) FALLOCATE.invokeExact(state, descriptor, mode, offset, bytes));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int ftruncate(int descriptor, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            return checked(state, (int) FTRUNCATE.invokeExact(state, descriptor, bytes));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int fcntl(int descriptor, int command, long argument) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            return checked(state, (int) FCNTL.invokeExact(state, descriptor, command, argument));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            return checked(
                    state, (int) OPEN.invokeExact(state, arena.allocateFrom(path), flags, 0));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long lseek(int descriptor, long offset, int whence) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            return checked(state, (long) LSEEK.invokeExact(state, descriptor, offset, whence));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void close(int descriptor) {
        try {
            int ignored = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Where to, how much, and how. */
    record Mapping(long address, long bytes, int protection, int flags) {}

    /** Returns the address, or the negative error number: no address lies that high. */
    static long mmap(Mapping to, int descriptor, long offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            return checked(
                    state,
                    (long)
                            MMAP.invokeExact(
                                    state,
                                    to.address,
                                    to.bytes,
                                    to.protection,
                                    to.flags,
                                    descriptor,
                                    offset));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void munmap(long address, long bytes) {
        try {
            int ignored = (int) MUNMAP.invokeExact(address, bytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Memory for the error number of {@link #processVmReadv}, of one thread at a time. */
    static MemorySegment callState() {
        return Arena.ofAuto().allocate(CALL_STATE);
    }

    /** Copies out of another process: one {@code struct iovec} here, one there. */
    static long processVmReadv(
            MemorySegment state, int pid, MemorySegment here, MemorySegment there) {
        try {
            return checked(
                    state,
                    (long) PROCESS_VM_READV.invokeExact(state, pid, here, 1L, there, 1L, 0L));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int geteuid() {
        try {
            return (int) GETEUID.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** An error number in words. */
    static String strerror(int error) {
        try {
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(error);
            return text.reinterpret(256).getString(0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Sleeps while the word at that address has this value and nobody wakes its sleepers, no longer
     * than the time there says; for other processes too.
     */
    static void futexWait(long address, int value, long timespecAddress) {
        futex(address, FUTEX_WAIT, value, timespecAddress);
    }

    /** Wakes one sleeper of that word. */
    static void futexWake(long address) {
        futex(address, FUTEX_WAKE, 1, 0);
    }

    private static void futex(long address, long operation, long value, long timespecAddress) {
        try {
            long ignored =
                    (long)
                            SYSCALL.invokeExact(
                                    FUTEX, address, operation, value, timespecAddress, 0L, 0L);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static long futexNumber() {
        // struct utsname: six texts of 65 bytes; the fifth names the machine.
        int fieldBytes = 65;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment names = arena.allocate(6L * fieldBytes);
            int ignored = (int) UNAME.invokeExact(names);
            // Of the two, only x86_64 has a table of its own.
            return names.getString(4L * fieldBytes).equals("x86_64") ? 202 : 98;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static long checked(MemorySegment state, long result) {
        return result == -1 ? -(int) ERRNO_FIELD.get(state, 0L) : result;
    }

    private static int checked(MemorySegment state, int result) {
        return (int) checked(state, (long) result);
    }

    private static MethodHandle find(
            String name, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(LOOKUP.findOrThrow(name), type, options);
    }

    /** A down-call throws nothing of its own. */
    private static AssertionError unexpected(Throwable e) {
        return new AssertionError("a call into the C library failed in Java", e);
    }
}
