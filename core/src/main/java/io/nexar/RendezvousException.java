package io.nexar;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;

/** The ranks could not meet: this one was refused, or others are missing at the deadline. */
public final class RendezvousException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final String reason;
    private final transient List<Integer> missingRanks;

    /**
     * @param reason why, for example {@code the token is wrong}
     * @param missingRanks the ranks that did not come; empty if that is not the reason
     */
    public RendezvousException(String reason, List<Integer> missingRanks) {
        this(reason, missingRanks, null);
    }

    /** The same, with what lies behind it as the cause. */
    public RendezvousException(
            String reason, List<Integer> missingRanks, @Nullable Throwable cause) {
        this(null, reason, missingRanks, cause);
    }

    private RendezvousException(
            @Nullable OperationContext where,
            String reason,
            List<Integer> missingRanks,
            @Nullable Throwable cause) {
        super(where, Scope.PROCESS, detail(reason, missingRanks), cause);
        this.reason = reason;
        this.missingRanks = List.copyOf(missingRanks);
    }

    private static String detail(String reason, List<Integer> missingRanks) {
        String missing =
                missingRanks.stream().map(rank -> "rank " + rank).collect(Collectors.joining(", "));
        return "could not join: " + reason + (missing.isEmpty() ? "" : "; missing: " + missing);
    }

    /** Why. */
    public String reason() {
        return reason;
    }

    /** The ranks that did not come; empty if that is not the reason. */
    public List<Integer> missingRanks() {
        return missingRanks;
    }

    @Override
    public RendezvousException at(OperationContext where) {
        return new RendezvousException(where, reason, missingRanks, this);
    }
}
