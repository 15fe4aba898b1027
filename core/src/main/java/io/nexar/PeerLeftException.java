package io.nexar;

import org.jspecify.annotations.Nullable;

/**
 * A member closed the communicator, or left the job in good order, while this rank still needed it.
 */
public final class PeerLeftException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final int rank;
    private final String reason;

    /**
     * @param rank who left
     * @param reason how, for example {@code closed the communicator}
     */
    public PeerLeftException(@Nullable OperationContext where, int rank, String reason) {
        this(where, rank, reason, null);
    }

    private PeerLeftException(
            @Nullable OperationContext where, int rank, String reason, @Nullable Throwable cause) {
        Scope scope = scopeOf(where, Scope.PEER);
        super(where, scope, "rank " + rank + " left (" + reason + ")" + advice(scope), cause);
        this.rank = rank;
        this.reason = reason;
    }

    /** Who left. */
    public int rank() {
        return rank;
    }

    /** How. */
    public String reason() {
        return reason;
    }

    @Override
    public PeerLeftException at(OperationContext where) {
        return new PeerLeftException(where, rank, reason, this);
    }
}
