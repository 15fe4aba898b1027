package io.nexar;

import org.jspecify.annotations.Nullable;

/**
 * The membership has moved on, and a call on a communicator of an older epoch was given up. Work
 * goes on with the communicator that came with the new epoch.
 */
public final class EpochChangedException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final long before;
    private final long now;

    /**
     * @param before the communicator's epoch
     * @param now the membership's
     */
    public EpochChangedException(@Nullable OperationContext where, long before, long now) {
        this(where, before, now, null);
    }

    private EpochChangedException(
            @Nullable OperationContext where, long before, long now, @Nullable Throwable cause) {
        super(
                where,
                Scope.COMMUNICATOR,
                "the membership has moved from epoch "
                        + before
                        + " to "
                        + now
                        + "; close() this communicator and use the new epoch's",
                cause);
        this.before = before;
        this.now = now;
    }

    /** The communicator's epoch. */
    public long before() {
        return before;
    }

    /** The membership's epoch. */
    public long now() {
        return now;
    }

    @Override
    public EpochChangedException at(OperationContext where) {
        return new EpochChangedException(where, before, now, this);
    }
}
