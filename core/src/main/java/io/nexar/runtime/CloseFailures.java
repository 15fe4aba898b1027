package io.nexar.runtime;

import org.jspecify.annotations.Nullable;

/** Goes through several things to the end, whatever some of them throw; then throws that. */
final class CloseFailures {
    private @Nullable RuntimeException first;

    void collect(Runnable close) {
        try {
            close.run();
        } catch (RuntimeException failure) {
            add(failure);
        }
    }

    void add(RuntimeException failure) {
        if (first == null) {
            first = failure;
        } else if (!first.equals(failure)) {
            first.addSuppressed(failure);
        }
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Throws the first failure, which carries the others; nothing if there was none. */
    void throwFirst() {
        if (first != null) {
            throw first;
        }
    }
}
