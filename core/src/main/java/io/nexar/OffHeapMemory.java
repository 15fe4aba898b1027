package io.nexar;

import io.nexar.spi.MemorySource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.ServiceLoader;

/** Memory for buffers: of the first source that has some, else the JVM's. Any thread. */
final class OffHeapMemory {
    /** A cache line, and the widest vector there is, so that no kernel access straddles a line. */
    private static final long ALIGNMENT_BYTES = 64;

    /** Of the library's own loader: a thread's context may see another copy of it. */
    private static final List<MemorySource> SOURCES =
            ServiceLoader.load(MemorySource.class, MemorySource.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private OffHeapMemory() {}

    static MemorySegment allocate(long bytes) {
        for (MemorySource source : SOURCES) {
            MemorySegment memory = bytes == 0 ? null : source.tryAllocate(bytes);
            if (memory != null) {
                return memory;
            }
        }
        return Arena.ofAuto().allocate(bytes, ALIGNMENT_BYTES);
    }
}
