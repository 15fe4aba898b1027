package io.nexar.communicator;

/** What the interface promises and this version does not do yet: said at once, by name. */
final class Unreached {
    private Unreached() {}

    static UnsupportedOperationException operation(String name) {
        return new UnsupportedOperationException(name + " is not part of this version yet");
    }
}
