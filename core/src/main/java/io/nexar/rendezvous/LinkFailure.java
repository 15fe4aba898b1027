package io.nexar.rendezvous;

/** A peer can't be linked to. Stays inside the formation: users see a rendezvous error. */
public final class LinkFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int rank;

    /**
     * @param rank the peer's
     * @param reason with the address that was dialled
     */
    public LinkFailure(int rank, String reason, Throwable cause) {
        super(reason, cause);
        this.rank = rank;
    }

    public int rank() {
        return rank;
    }
}
