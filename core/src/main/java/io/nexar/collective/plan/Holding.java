package io.nexar.collective.plan;

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
    EVERYTHING_AT_ROOT;

    /** The share of each slot, where the vector is cut into {@code shares}. */
    public int[] slotShares(PlanRequest request, int shares) {
        return switch (this) {
            case NOTHING -> new int[0];
            case EVERYTHING -> IntStream.range(0, shares).toArray();
            case OWN_SHARE -> new int[] {request.rank()};
            case EVERYTHING_AT_ROOT ->
                    request.rank() == request.root()
                            ? IntStream.range(0, shares).toArray()
                            : new int[0];
        };
    }
}
