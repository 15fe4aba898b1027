package io.nexar;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Ranks called different operations, or the same one with different counts, types, reductions or
 * roots. The communicator is broken on every rank. A rank whose part was already over gets this at
 * its next call on the communicator; {@code nexar.check=full} confirms every call before it
 * returns.
 */
public final class MismatchException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final transient List<CallDescription> calls;

    /**
     * @param calls what differs, usually two ranks' calls
     */
    public MismatchException(@Nullable OperationContext where, List<CallDescription> calls) {
        this(where, calls, null);
    }

    private MismatchException(
            @Nullable OperationContext where,
            List<CallDescription> calls,
            @Nullable Throwable cause) {
        super(where, Scope.COMMUNICATOR, detail(calls) + advice(Scope.COMMUNICATOR), cause);
        this.calls = List.copyOf(calls);
    }

    private static String detail(List<CallDescription> calls) {
        return "calls differ: "
                + calls.stream()
                        .map(CallDescription::toString)
                        .collect(Collectors.joining(", but "));
    }

    /** The calls that differ, each with its rank. */
    public List<CallDescription> calls() {
        return calls;
    }

    @Override
    public MismatchException at(OperationContext where) {
        return new MismatchException(where, calls, this);
    }
}
