package io.nexar.house.planted.memory;

import java.lang.foreign.Linker;

/** Calls native code outside devices and shared memory. */
final class CallsDown {
    final Linker linker = Linker.nativeLinker();
}
