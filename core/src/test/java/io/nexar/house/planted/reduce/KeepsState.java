package io.nexar.house.planted.reduce;

/** Keeps state in a static field. */
final class KeepsState {
    static int calls;

    private KeepsState() {}
}
