package io.nexar.collective.plan;

import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Which shares a rank holds in its input or output: the contract of planner, engine and checker.
 */
public enum Holding {
    NOTHING,
    /** All shares in order: the whole vector. */
    EVERYTHING,
    /** The share that has the rank's number; the vector has as many shares as there are ranks. */
    OWN_SHARE,
    /** All shares on the root, nothing elsewhere. */
    EVERYTHING_AT_ROOT,
    /** All shares on every rank but rank 0, which has nothing. */
    EVERYTHING_BUT_AT_FIRST,
    /**
     * One share for each rank, by rank. The vector has a share for each pair of ranks: what rank r
     * has for rank d is share {@code r * size + d}.
     */
    TO_EACH,
    /** One share from each rank, by rank: what rank s had for rank r is {@code s * size + r}. */
    FROM_EACH,
    /** One share for each place of the neighbourhood that this rank sends from. */
    TO_NEIGHBORS,
    /** One share for each place of the neighbourhood that this rank receives into. */
    FROM_NEIGHBORS;

    /** The share of each slot, where the vector is cut into {@code shares}. */
    public int[] slotShares(PlanRequest request, int shares) {
        return switch (this) {
            case NOTHING -> new int[0];
            case EVERYTHING -> IntStream.range(0, shares).toArray();
            case OWN_SHARE -> new int[] {request.rank()};
            case EVERYTHING_AT_ROOT -> all(request.rank() == request.root(), shares);
            case EVERYTHING_BUT_AT_FIRST -> all(request.rank() > 0, shares);
            case TO_EACH -> ofPairs(request, rank -> request.rank() * request.size() + rank);
            case FROM_EACH -> ofPairs(request, rank -> rank * request.size() + request.rank());
            case TO_NEIGHBORS -> new NeighborShares(request).sent();
            case FROM_NEIGHBORS -> new NeighborShares(request).received();
        };
    }

    private static int[] all(boolean hasThem, int shares) {
        return hasThem ? IntStream.range(0, shares).toArray() : new int[0];
    }

    private static int[] ofPairs(PlanRequest request, IntUnaryOperator shareOfRank) {
        return IntStream.range(0, request.size()).map(shareOfRank).toArray();
    }
}
