package io.nexar.communicator;

import io.nexar.Algorithm;
import io.nexar.collective.plan.Operation;

import java.util.List;

/**
 * The algorithms of calls where only two ranks know what one has for the other. Ranks must choose
 * alike and know nothing of one another's counts, so the choice depends on the operation alone; and
 * a rank can't pass on a share whose size it does not know.
 */
final class Pairs {
    private Pairs() {}

    /** Whether every message goes straight from the rank that has it to the one that gets it. */
    static boolean isEnoughFor(Algorithm algorithm) {
        return algorithm == Algorithm.DIRECT || algorithm == Algorithm.PAIRWISE;
    }

    /** The algorithm to take: the forced one if it can do with what is known here. */
    static Algorithm algorithm(CollectiveSpec spec, Algorithm forced, int rank, int size) {
        if (forced == Algorithm.AUTO) {
            return spec.operation() == Operation.ALL_TO_ALL ? Algorithm.PAIRWISE : Algorithm.DIRECT;
        }
        if (isEnoughFor(forced)) {
            return forced;
        }
        long[] shares = spec.shares();
        if (shares == null) {
            throw new IllegalArgumentException(
                    "%s with a count for each rank by %s, which passes shares on; take one of %s"
                            .formatted(
                                    spec.name(),
                                    forced,
                                    List.of(Algorithm.PAIRWISE, Algorithm.DIRECT)));
        }
        UnevenShapes.requireKnownShares(spec, shares, rank, size);
        return forced;
    }
}
