package io.nexar;

import org.jspecify.annotations.Nullable;

/** A peer sent what no correct peer sends, or speaks another version. The link to it is closed. */
public final class ProtocolException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final @Nullable String peer;
    private final String problem;

    /**
     * Where it is not known yet who sent it, as in a decoder.
     *
     * @param problem what was sent and which rule that breaks
     */
    public ProtocolException(String problem) {
        this(null, null, problem, null);
    }

    /**
     * The same of a known peer.
     *
     * @param peer who, for example {@code rank 3} or an address
     */
    public ProtocolException(String peer, String problem) {
        this(null, peer, problem, null);
    }

    /** The same, met by a call, or with a decoder's exception as the cause. */
    public ProtocolException(
            @Nullable OperationContext where,
            @Nullable String peer,
            String problem,
            @Nullable Throwable cause) {
        Scope scope = scopeOf(where, Scope.PEER);
        super(where, scope, detail(peer, problem) + advice(scope), cause);
        this.peer = peer;
        this.problem = problem;
    }

    private static String detail(@Nullable String peer, String problem) {
        return (peer == null ? "the protocol was broken: " : peer + " broke the protocol: ")
                + problem;
    }

    /** Who, or null if that is not known. */
    public @Nullable String peer() {
        return peer;
    }

    /** What was sent and which rule that breaks. */
    public String problem() {
        return problem;
    }

    @Override
    public ProtocolException at(OperationContext where) {
        return new ProtocolException(where, peer, problem, this);
    }
}
