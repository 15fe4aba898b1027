package io.nexar;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Something did not happen in time. After a receive or a remote call nothing was consumed and the
 * communicator stays usable; after a collective the communicator is broken.
 */
public final class DeadlineException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final String what;
    private final Duration timeout;
    private final transient List<Integer> waitingFor;

    /**
     * @param what what was waited for, for example {@code a message with tag 7}
     * @param timeout how long
     * @param waitingFor the ranks that did not do their part; may be empty
     */
    public DeadlineException(
            @Nullable OperationContext where,
            String what,
            Duration timeout,
            List<Integer> waitingFor) {
        this(where, what, timeout, waitingFor, null);
    }

    private DeadlineException(
            @Nullable OperationContext where,
            String what,
            Duration timeout,
            List<Integer> waitingFor,
            @Nullable Throwable cause) {
        Scope scope = scopeOf(where, Scope.OPERATION);
        super(where, scope, detail(what, timeout, waitingFor) + advice(scope), cause);
        this.what = what;
        this.timeout = timeout;
        this.waitingFor = List.copyOf(waitingFor);
    }

    private static String detail(String what, Duration timeout, List<Integer> waitingFor) {
        String who =
                waitingFor.stream().map(rank -> "rank " + rank).collect(Collectors.joining(", "));
        String suffix = who.isEmpty() ? "" : ", waiting for " + who;
        return what + " did not come within " + spell(timeout) + suffix;
    }

    /** What was waited for. */
    public String what() {
        return what;
    }

    /** How long. */
    public Duration timeout() {
        return timeout;
    }

    /** The ranks that did not do their part, as far as they are known here. */
    public List<Integer> waitingFor() {
        return waitingFor;
    }

    @Override
    public DeadlineException at(OperationContext where) {
        return new DeadlineException(where, what, timeout, waitingFor, this);
    }
}
