package io.nexar.collective.plan;

import static io.nexar.collective.plan.Holding.EVERYTHING;
import static io.nexar.collective.plan.Holding.EVERYTHING_AT_ROOT;
import static io.nexar.collective.plan.Holding.EVERYTHING_BUT_AT_FIRST;
import static io.nexar.collective.plan.Holding.FROM_EACH;
import static io.nexar.collective.plan.Holding.FROM_NEIGHBORS;
import static io.nexar.collective.plan.Holding.NOTHING;
import static io.nexar.collective.plan.Holding.OWN_SHARE;
import static io.nexar.collective.plan.Holding.TO_EACH;
import static io.nexar.collective.plan.Holding.TO_NEIGHBORS;

/**
 * The collectives, and what each rank's input and output hold. The ordinals are part of a call's
 * fingerprint: append, never reorder.
 */
public enum Operation {
    BARRIER("barrier", NOTHING, NOTHING, false, false),
    BROADCAST("broadcast", EVERYTHING_AT_ROOT, EVERYTHING, false, true),
    ALL_REDUCE("allReduce", EVERYTHING, EVERYTHING, true, false),
    REDUCE_SCATTER("reduceScatter", EVERYTHING, OWN_SHARE, true, false),
    ALL_GATHER("allGather", OWN_SHARE, EVERYTHING, false, false),
    REDUCE("reduce", EVERYTHING, EVERYTHING_AT_ROOT, true, true),
    GATHER("gather", OWN_SHARE, EVERYTHING_AT_ROOT, false, true),
    SCATTER("scatter", EVERYTHING_AT_ROOT, OWN_SHARE, false, true),
    /** Never in place: a place has another share before than after. */
    ALL_TO_ALL("allToAll", TO_EACH, FROM_EACH, false, false),
    SCAN("scan", EVERYTHING, EVERYTHING, true, false),
    /** Rank 0 gets nothing from a plan: what it has to get is the operation's identity. */
    EXCLUSIVE_SCAN("exclusiveScan", EVERYTHING, EVERYTHING_BUT_AT_FIRST, true, false),
    /** Its plans depend on who is next to whom as well. */
    NEIGHBOR_EXCHANGE("neighborExchange", TO_NEIGHBORS, FROM_NEIGHBORS, false, false);

    /** A vector may be cut as a planner likes. */
    public static final int ANY_SHARES = -1;

    private final String methodName;
    private final Holding input;
    private final Holding output;
    private final boolean reducing;
    private final boolean rooted;

    Operation(String methodName, Holding input, Holding output, boolean reducing, boolean rooted) {
        this.methodName = methodName;
        this.input = input;
        this.output = output;
        this.reducing = reducing;
        this.rooted = rooted;
    }

    /** The name that callers know it by. */
    public String methodName() {
        return methodName;
    }

    /** What a rank's INPUT holds; it is never written unless it is the output's memory too. */
    public Holding input() {
        return input;
    }

    /** What a rank's OUTPUT holds in the end. In place, equal shares of both are one memory. */
    public Holding output() {
        return output;
    }

    public boolean isReducing() {
        return reducing;
    }

    public boolean isRooted() {
        return rooted;
    }

    /** Whether rank r's result combines the parts of the ranks up to r only: nothing to scale. */
    public boolean isScan() {
        return this == SCAN || this == EXCLUSIVE_SCAN;
    }

    /** Whether a reduction is finished by a SCALE, which divides for AVG. */
    public boolean isScaled() {
        return reducing && !isScan();
    }

    /** Whether the vector must have exactly one share a rank. */
    public boolean isShared() {
        return input == OWN_SHARE || output == OWN_SHARE;
    }

    /** Whether a share is nobody's, and its place empty. */
    public boolean isNobodys(int share, int size) {
        return input == TO_NEIGHBORS && NeighborShares.isNobodys(share, size);
    }

    /** Whose input a share is part of, where each has another one. */
    public int sender(int share, int size, int root) {
        return switch (input) {
            case TO_EACH -> share / size;
            case TO_NEIGHBORS -> NeighborShares.sender(share, size);
            case OWN_SHARE -> share;
            default -> root;
        };
    }

    /** Whose output a share is part of, where each has another one. */
    public int receiver(int share, int size, int root) {
        return switch (output) {
            case FROM_EACH -> share % size;
            case FROM_NEIGHBORS -> NeighborShares.receiver(share, size);
            case OWN_SHARE -> share;
            default -> root;
        };
    }

    /** How many shares the vector must have among so many ranks, or {@link #ANY_SHARES}. */
    public int shares(int size) {
        if (input == TO_EACH) {
            return Math.multiplyExact(size, size);
        }
        if (input == TO_NEIGHBORS) {
            return NeighborShares.count(size);
        }
        return isShared() ? size : ANY_SHARES;
    }
}
