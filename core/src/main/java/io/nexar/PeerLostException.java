package io.nexar;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** A member's process died, or can't be reached any more, without a goodbye. */
public final class PeerLostException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final int rank;
    private final String reason;
    private final Duration ago;

    /**
     * @param rank who is lost
     * @param reason how that is known, for example {@code process exited} or {@code connection
     *     reset}
     * @param ago how long before this exception it became known here
     */
    public PeerLostException(
            @Nullable OperationContext where, int rank, String reason, Duration ago) {
        this(where, rank, reason, ago, null);
    }

    /** The same, with what the transport met as the cause. */
    public PeerLostException(
            @Nullable OperationContext where,
            int rank,
            String reason,
            Duration ago,
            @Nullable Throwable cause) {
        Scope scope = scopeOf(where, Scope.PEER);
        super(
                where,
                scope,
                "rank " + rank + " lost " + spell(ago) + " ago (" + reason + ")" + advice(scope),
                cause);
        this.rank = rank;
        this.reason = reason;
        this.ago = ago;
    }

    /** Who is lost: its rank in the communicator of the call. */
    public int rank() {
        return rank;
    }

    /** How that is known. */
    public String reason() {
        return reason;
    }

    /** How long before this exception it became known here. */
    public Duration ago() {
        return ago;
    }

    @Override
    public PeerLostException at(OperationContext where) {
        return new PeerLostException(where, rank, reason, ago, this);
    }
}
