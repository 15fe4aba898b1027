package io.nexar.transport;

import io.nexar.DeadlineException;
import io.nexar.MemberId;
import io.nexar.NexarException;
import io.nexar.RendezvousException;

import java.time.Duration;
import java.util.List;

/** The one place that decides which exception a failed {@link Endpoint#connect} is. */
public final class DialErrors {
    private DialErrors() {}

    /** Nothing answers there, or who answers is not the expected member, or refuses. */
    public static NexarException refused(MemberId peer, String reason) {
        return new RendezvousException("no link to " + peer + ": " + reason, List.of());
    }

    /** Time is up; {@code reason} says what was tried. */
    public static NexarException timedOut(MemberId peer, String reason, long timeoutNanos) {
        return new DeadlineException(
                null,
                "a link to " + peer + " (" + reason + ")",
                Duration.ofNanos(timeoutNanos),
                List.of());
    }
}
