package io.nexar.memory;

import java.lang.foreign.MemorySegment;

/** Bytes that were brought where they go, so that nothing is left to copy. */
public final class InPlace {
    private InPlace() {}

    /** Whether {@code bytes} lie in {@code memory} from that offset on, and it is open. */
    public static boolean isAt(MemorySegment bytes, MemorySegment memory, long offset) {
        return bytes.isNative()
                && memory.isNative()
                && bytes.address() == memory.address() + offset
                && memory.scope().isAlive();
    }
}
