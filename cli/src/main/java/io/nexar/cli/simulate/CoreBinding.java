package io.nexar.cli.simulate;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;
import java.util.Optional;

/**
 * Binds the thread that made it to one core after the other, where the system has the call for it:
 * Linux. Elsewhere, and where the system refuses, the thread stays free. No other thread of the
 * process is bound, but for those that this one starts meanwhile. Closed, the thread is as free as
 * before. Owned by that thread.
 */
final class CoreBinding implements AutoCloseable {
    /** The system's own set has room for so many cores, and a larger machine refuses it. */
    private static final int CORES_MAX = 1024;

    /** For the calling thread. */
    private static final int SELF = 0;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final Optional<MethodHandle> GET = find("sched_getaffinity");
    private static final Optional<MethodHandle> SET = find("sched_setaffinity");

    private final BitSet before = allowed();

    /** Whether threads can be bound here, to each of so many cores. */
    static boolean isPossible(int cores) {
        try (CoreBinding binding = new CoreBinding()) {
            // A process that may use less than all that it could be on has cores in no place.
            return binding.before.cardinality() == cores && binding.moveTo(0);
        }
    }

    /**
     * The thread goes on there. Returns false if it can't.
     *
     * @param core among those that it could use before
     */
    boolean moveTo(int core) {
        BitSet one = new BitSet();
        before.stream().skip(core).limit(1).forEach(one::set);
        return !one.isEmpty() && allow(one);
    }

    @Override
    public void close() {
        if (!before.isEmpty()) {
            allow(before);
        }
    }

    /** The cores that the thread may use, as the system numbers them; none: it does not tell. */
    static BitSet allowed() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(CORES_MAX / Byte.SIZE, Long.BYTES);
            return call(GET, set) < 0 ? new BitSet() : BitSet.valueOf(set.asByteBuffer());
        }
    }

    private static boolean allow(BitSet cores) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(CORES_MAX / Byte.SIZE, Long.BYTES);
            set.copyFrom(MemorySegment.ofArray(cores.toByteArray()));
            return call(SET, set) >= 0;
        }
    }

    private static int call(Optional<MethodHandle> function, MemorySegment set) {
        try {
            return function.isEmpty()
                    ? -1
                    : (int) function.get().invokeExact(SELF, set.byteSize(), set);
        } catch (Throwable e) {
            // A down-call throws nothing of its own.
            throw new AssertionError("a call into the C library failed in Java", e);
        }
    }

    private static Optional<MethodHandle> find(String name) {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor type =
                FunctionDescriptor.of(INT, INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
        SymbolLookup lookup = linker.defaultLookup();
        return lookup.find(name).map(function -> linker.downcallHandle(function, type));
    }
}
