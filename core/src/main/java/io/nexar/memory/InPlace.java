package io.nexar.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Bytes that were brought where they go, so that nothing is left to copy. */
public final class InPlace {
    private static final Class<?> AUTOMATIC = Arena.ofAuto().scope().getClass();
    private static final Class<?> GLOBAL = Arena.global().scope().getClass();

    private InPlace() {}

    /**
     * Whether memory outside the heap stays as long as somebody holds its segment. Memory of any
     * other arena can be freed, and used for something else, by a close at any moment.
     */
    public static boolean isKept(MemorySegment memory) {
        if (!memory.isNative()) {
            return false;
        }
        Class<?> scope = memory.scope().getClass();
        return scope == AUTOMATIC || scope == GLOBAL;
    }

    /** Whether {@code bytes} lie in {@code memory} from that offset on, and it is open. */
    public static boolean isAt(MemorySegment bytes, MemorySegment memory, long offset) {
        return bytes.isNative()
                && memory.isNative()
                && bytes.address() == memory.address() + offset
                && memory.scope().isAlive();
    }
}
