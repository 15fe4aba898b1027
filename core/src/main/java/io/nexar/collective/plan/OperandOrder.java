package io.nexar.collective.plan;

/** In which order an algorithm combines the ranks' parts of an element. */
public enum OperandOrder {
    /** Nothing is combined. */
    NONE,
    /** Rank 0's part, rank 1's, and so on: right for operations that do not commute. */
    RANK,
    /**
     * Round the ring from rank s + 1 to rank s in share s: only for operations that commute, and
     * other bits in other shares.
     */
    RING,
    /**
     * The ranks of one host after another, each host's in their order, hosts by their first rank:
     * the ranks' order where they lie host by host.
     */
    HOSTS;

    /** Whether an operation that does not commute comes out right with ranks placed so. */
    public boolean keepsRankOrder(Placement placement) {
        return switch (this) {
            case NONE, RANK -> true;
            case RING -> false;
            case HOSTS -> placement.isHostByHost();
        };
    }
}
