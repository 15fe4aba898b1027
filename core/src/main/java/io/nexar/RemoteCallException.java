package io.nexar;

import org.jspecify.annotations.Nullable;

/**
 * The handler of a remote call threw, or there is none of that name. The class named here is not
 * loaded: only its name travels.
 */
public final class RemoteCallException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final int rank;
    private final String exceptionClass;
    private final @Nullable String exceptionMessage;

    /**
     * @param rank where the handler ran
     * @param exceptionClass the name of the class of what it threw
     * @param exceptionMessage its message, or null
     */
    public RemoteCallException(
            @Nullable OperationContext where,
            int rank,
            String exceptionClass,
            @Nullable String exceptionMessage) {
        this(where, rank, exceptionClass, exceptionMessage, null);
    }

    private RemoteCallException(
            @Nullable OperationContext where,
            int rank,
            String exceptionClass,
            @Nullable String exceptionMessage,
            @Nullable Throwable cause) {
        super(
                where,
                Scope.OPERATION,
                "rank " + rank + " answered with " + exceptionClass + ": " + exceptionMessage,
                cause);
        this.rank = rank;
        this.exceptionClass = exceptionClass;
        this.exceptionMessage = exceptionMessage;
    }

    /** Where the handler ran. */
    public int rank() {
        return rank;
    }

    /** The name of the class of what it threw. */
    public String exceptionClass() {
        return exceptionClass;
    }

    /** The message of what it threw, or null. */
    public @Nullable String exceptionMessage() {
        return exceptionMessage;
    }

    @Override
    public RemoteCallException at(OperationContext where) {
        return new RemoteCallException(where, rank, exceptionClass, exceptionMessage, this);
    }
}
