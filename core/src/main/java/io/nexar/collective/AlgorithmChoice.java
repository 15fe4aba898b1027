package io.nexar.collective;

import io.nexar.Algorithm;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.PlanCatalog;

/**
 * The algorithms of one communicator's calls: the forced one, or what a policy chooses. A policy is
 * asked once for an operation and a size class, which is all sizes between two powers of two; what
 * it said is found again without a lock or an object. Any thread.
 */
public final class AlgorithmChoice {
    /** Size 0, and one class for each number of bits. */
    private static final int CLASSES = Long.SIZE;

    /**
     * Up to so many ranks a reduction of halves sends P - 1 messages a rank to be rounded once.
     * With more the messages cost more than the bytes of 64 KiB do.
     */
    private static final int ROUNDED_ONCE_RANKS_MAX = 64;

    /** A vector that fits one packet goes to everybody at once: one round instead of two. */
    private static final int ROUNDED_ONCE_DIRECT_BYTES_MAX = 1024;

    private final AlgorithmPolicy policy;
    private final boolean isDeterministic;
    private final Placement placement;

    /**
     * By operation, whether the ranks' order counts, and class. A race writes the same constant
     * twice: every policy is a pure function.
     */
    private final Algorithm[] chosen = new Algorithm[Operation.values().length * 2 * CLASSES];

    /**
     * @param isDeterministic whether an element's result may depend on nothing but the ranks'
     *     values: then every reduction goes the same way whatever its length
     * @param placement of the communicator's ranks
     */
    public AlgorithmChoice(AlgorithmPolicy policy, boolean isDeterministic, Placement placement) {
        this.policy = policy;
        this.isDeterministic = isDeterministic;
        this.placement = placement;
    }

    public Placement placement() {
        return placement;
    }

    /**
     * Returns the algorithm for a call.
     *
     * @param forced AUTO to choose
     * @param bytes of the whole vector
     * @param needsRankOrder the reduction does not commute
     * @throws IllegalArgumentException if the operation has no such algorithm, or the reduction
     *     does not commute and the forced algorithm does not keep the ranks' order
     */
    public Algorithm choose(
            Algorithm forced, Operation operation, long bytes, boolean needsRankOrder) {
        if (forced != Algorithm.AUTO) {
            requireFit(forced, operation, needsRankOrder);
            return forced;
        }
        if (operation == Operation.NEIGHBOR_EXCHANGE) {
            return Algorithm.DIRECT;
        }
        if (isDeterministic && operation.isReducing()) {
            return deterministic(operation);
        }
        int sizeClass = sizeClass(bytes);
        int place = (operation.ordinal() * 2 + (needsRankOrder ? 1 : 0)) * CLASSES + sizeClass;
        Algorithm known = chosen[place];
        if (known == null) {
            known = policy.choose(operation, typicalBytes(sizeClass), placement, needsRankOrder);
            chosen[place] = known;
        }
        return known;
    }

    /**
     * For a reduction whose partial results are rounded where an algorithm stores them: one that
     * stores only the last, instead of AUTO. Both that it returns for allReduce give the same bits.
     */
    public Algorithm roundingOnce(Algorithm forced, Operation operation, long bytes) {
        if (forced != Algorithm.AUTO || placement.size() > ROUNDED_ONCE_RANKS_MAX) {
            return forced;
        }
        return switch (operation) {
            case REDUCE_SCATTER -> Algorithm.DIRECT;
            case REDUCE -> Algorithm.REDUCE_SCATTER_ALLGATHER;
            case ALL_REDUCE ->
                    bytes <= ROUNDED_ONCE_DIRECT_BYTES_MAX
                            ? Algorithm.DIRECT
                            : Algorithm.REDUCE_SCATTER_ALLGATHER;
            default -> forced;
        };
    }

    private void requireFit(Algorithm forced, Operation operation, boolean needsRankOrder) {
        PlanCatalog.Entry entry = PlanCatalog.entry(operation, forced);
        if (needsRankOrder && !entry.keepsRankOrder(placement)) {
            throw new IllegalArgumentException(
                    "%s by %s does not keep the ranks' order, which the reduction needs"
                            .formatted(operation.methodName(), forced));
        }
    }

    /** How many bits the number of bytes has. */
    static int sizeClass(long bytes) {
        return Long.SIZE - Long.numberOfLeadingZeros(bytes);
    }

    /** The middle of a class. */
    static long typicalBytes(int sizeClass) {
        return sizeClass < 2 ? sizeClass : 3L << sizeClass - 2;
    }

    /**
     * One fixed order over the ranks, with the same brackets, for each element wherever it lies: so
     * no ring, and one algorithm for every length, wherever the ranks are.
     */
    private static Algorithm deterministic(Operation operation) {
        return switch (operation) {
            case ALL_REDUCE -> Algorithm.RECURSIVE_DOUBLING;
            case REDUCE_SCATTER, REDUCE -> Algorithm.HALVING_DOUBLING;
            case SCAN, EXCLUSIVE_SCAN -> Algorithm.HILLIS_STEELE;
            case BARRIER, BROADCAST, ALL_GATHER, GATHER, SCATTER, ALL_TO_ALL, NEIGHBOR_EXCHANGE ->
                    throw new IllegalArgumentException(operation + " combines nothing");
        };
    }
}
