package io.nexar.transport.net;

/** A control connection could not be made. */
public final class ControlFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Whether another try can help. */
    public enum Kind {
        /** Nobody listens there, or the connection broke before it was secured: may start later. */
        REFUSED,
        /** No route, or a name that is not known: may come with a network that is just starting. */
        UNREACHABLE,
        /** No answer in the time of a dial. */
        SILENT,
        /** Somebody answered who is not whom the dialler trusts, or speaks no TLS. */
        UNTRUSTED
    }

    private final Kind kind;

    public ControlFailure(Kind kind, String reason, Throwable cause) {
        super(reason, cause);
        this.kind = kind;
    }

    ControlFailure(Kind kind, String reason) {
        super(reason);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
