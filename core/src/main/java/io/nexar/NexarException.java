package io.nexar;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Locale;

/**
 * What can go wrong while ranks work together. Mistakes of the program are the JDK's own exceptions
 * ({@link IllegalArgumentException}, {@link IllegalStateException}, {@link NullPointerException});
 * everything here may happen to a correct program.
 *
 * <p>The message says what, where and who, and what to do next: {@code allReduce #41 on world (rank
 * 2 of 4, epoch 3): rank 3 lost 1.2 s ago (process exited); call shrink() or close()}. The facts in
 * it are also fields with accessors. {@link #scope()} says what is not usable any more.
 */
public abstract sealed class NexarException extends RuntimeException
        permits ClosedException,
                ConfigurationException,
                DeadlineException,
                DeviceException,
                EpochChangedException,
                InterruptedOperationException,
                MismatchException,
                PeerLeftException,
                PeerLostException,
                ProtocolException,
                RemoteCallException,
                RendezvousException,
                TruncationException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable OperationContext where;
    private final Scope scope;

    NexarException(
            @Nullable OperationContext where,
            Scope scope,
            String detail,
            @Nullable Throwable cause) {
        super(where == null ? detail : where + ": " + detail, cause);
        this.where = where;
        this.scope = scope;
    }

    /** How far the error reaches. */
    public final Scope scope() {
        return scope;
    }

    /** Which call met the error, or null if it was no call on a communicator. */
    public final @Nullable OperationContext where() {
        return where;
    }

    /**
     * The same facts for another call, with this exception as the cause: a broken communicator
     * gives its first reason to every later call.
     */
    public abstract NexarException at(OperationContext where);

    /** The scope of a failure of that call: a collective's breaks its communicator. */
    static Scope scopeOf(@Nullable OperationContext where, Scope otherwise) {
        return where != null && where.isCollective() ? Scope.COMMUNICATOR : otherwise;
    }

    /** What to do next, for the scopes in which there is something to do. */
    static String advice(Scope scope) {
        return scope == Scope.COMMUNICATOR ? "; call shrink() or close()" : "";
    }

    /** For people: {@code 250 ms}, {@code 1.2 s}, {@code 30 min}. */
    static String spell(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1_000) {
            return millis + " ms";
        }
        if (millis < 120_000) {
            return String.format(
                    Locale.ROOT, millis % 1_000 < 100 ? "%.0f s" : "%.1f s", millis / 1e3);
        }
        return duration.toSeconds() % 60 == 0
                ? duration.toMinutes() + " min"
                : duration.toMinutes() + " min " + duration.toSeconds() % 60 + " s";
    }
}
