package io.nexar.runtime;

import io.nexar.DeadlineException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * What was not right when a rank closed; told once everything is freed.
 *
 * @param running what was not over at the deadline
 * @param silent ranks of the world that did not do their part of it, or did not hear the goodbye
 * @param untold why a communicator broke, if no call has been told
 * @param timeout how long was waited
 */
record CloseReport(
        List<String> running,
        List<Integer> silent,
        @Nullable RuntimeException untold,
        Duration timeout) {

    /** Throws what the caller of {@code close()} must know, if there is anything. */
    void throwIfBad() {
        RuntimeException late = late();
        if (untold != null) {
            if (late != null) {
                untold.addSuppressed(late);
            }
            throw untold;
        }
        if (late != null) {
            throw late;
        }
    }

    private @Nullable RuntimeException late() {
        if (running.isEmpty() && silent.isEmpty()) {
            return null;
        }
        String what =
                running.isEmpty()
                        ? "the answer to this rank's goodbye"
                        : "the end of " + String.join(", ", running);
        return new DeadlineException(null, what, timeout, silent);
    }
}
