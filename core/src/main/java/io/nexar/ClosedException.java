package io.nexar;

import org.jspecify.annotations.Nullable;

/** The communicator or the runtime that a call needs is closed here, or revoked by a member. */
public final class ClosedException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final String what;
    private final String reason;

    /**
     * @param what what is closed, for example {@code communicator world}
     * @param reason how that came about, for example {@code closed by this rank} or {@code revoked
     *     by rank 3}
     * @param scope {@link Scope#COMMUNICATOR} or {@link Scope#PROCESS}
     */
    public ClosedException(
            @Nullable OperationContext where, String what, String reason, Scope scope) {
        this(where, what, reason, scope, null);
    }

    private ClosedException(
            @Nullable OperationContext where,
            String what,
            String reason,
            Scope scope,
            @Nullable Throwable cause) {
        super(where, scope, what + " is closed (" + reason + ")", cause);
        this.what = what;
        this.reason = reason;
    }

    /** What is closed. */
    public String what() {
        return what;
    }

    /** How that came about. */
    public String reason() {
        return reason;
    }

    @Override
    public ClosedException at(OperationContext where) {
        return new ClosedException(where, what, reason, scope(), this);
    }
}
