package io.nexar.house.planted.memory;

/** Reads a system property by a side door. */
final class ReadsEnvironment {
    final boolean fast = Boolean.getBoolean("fast");
}
