package io.nexar.fabric;

/**
 * How many pieces of collectives may be under way between two ranks on one channel: what the peer
 * lets us send, and what it has sent that it has not had back. A piece carries back what is owed;
 * only where none goes the other way a frame of its own does. Guarded by the progress lock.
 */
final class PieceCredit {
    /** What the flags of a piece can say. */
    private static final int RETURNED_MAX = 0xFF;

    private final PeerPort port;
    private final int limit;
    private int left;
    private int here;
    private int owed;

    PieceCredit(PeerPort port, int limit) {
        this.port = port;
        this.limit = limit;
        this.left = limit;
    }

    /** How many pieces can be sent. */
    int left() {
        return left;
    }

    void spend() {
        left--;
    }

    /** The peer returns credit. */
    void add(int pieces) {
        if (pieces < 0 || pieces > limit - left) {
            throw port.violation(
                    "returned credit for %d pieces, more than it was given".formatted(pieces));
        }
        left += pieces;
    }

    /** Whether the peer may send another piece. */
    boolean isGiven() {
        return here < limit;
    }

    /** A piece has come. */
    void charge() {
        if (here == limit) {
            throw port.violation("sent more pieces than its credit of " + limit);
        }
        here++;
    }

    /** So many of the peer's pieces are consumed. */
    void release(int pieces) {
        owed += pieces;
        if (owed > here) {
            throw new IllegalStateException(
                    "released %d pieces of rank %d, which sent %d"
                            .formatted(pieces, port.rank(), here));
        }
    }

    int owed() {
        return owed;
    }

    /** What the next piece can carry back. */
    int owedToPiece() {
        return Math.min(owed, RETURNED_MAX);
    }

    /**
     * Whether it is so much that the peer may soon wait for it. One alone is not: a piece of the
     * next call carries it. Where the peer has sent all it may, it may wait already, and nobody
     * else would tell it.
     */
    boolean isDue() {
        return owed >= Math.max(2, limit / 4) || owed > 0 && here == limit;
    }

    /** The peer is told. */
    void giveBack(int pieces) {
        owed -= pieces;
        here -= pieces;
    }
}
