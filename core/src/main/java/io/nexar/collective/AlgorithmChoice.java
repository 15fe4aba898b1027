package io.nexar.collective;

import io.nexar.Algorithm;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;

import java.util.List;

/**
 * The algorithm of a call: the forced one, or what a policy chooses, or by default one table of
 * thresholds. A policy with a measured cost model can take the table's place.
 */
public final class AlgorithmChoice {
    /**
     * Up to here a message costs its latency and nothing else: one round of P - 1 messages beats
     * log2 P rounds, while P is small.
     */
    private static final long DIRECT_BYTES_MAX = 1024;

    /**
     * With more ranks the P - 1 messages that each rank sends and adds up cost more than rounds.
     */
    private static final int DIRECT_SIZE_MAX = 8;

    /**
     * One piece: up to here the rounds cost more than sending everything log2 P times, and nothing
     * can be pipelined. Beyond it the ring sends the fewest bytes.
     */
    private static final long DOUBLING_BYTES_MAX = 64 * 1024;

    private static final long ANY = Long.MAX_VALUE;

    /** The first row that fits is taken. */
    private static final List<Row> TABLE =
            List.of(
                    new Row(Operation.BARRIER, Algorithm.DISSEMINATION, ANY, ANY, 0),
                    new Row(Operation.BROADCAST, Algorithm.BINOMIAL_TREE, ANY, ANY, 0),
                    new Row(
                            Operation.ALL_REDUCE,
                            Algorithm.DIRECT,
                            DIRECT_BYTES_MAX,
                            DIRECT_SIZE_MAX,
                            0),
                    new Row(
                            Operation.ALL_REDUCE,
                            Algorithm.RECURSIVE_DOUBLING,
                            DOUBLING_BYTES_MAX,
                            ANY,
                            0),
                    new Row(Operation.ALL_REDUCE, Algorithm.RING, ANY, ANY, 1),
                    new Row(Operation.ALL_REDUCE, Algorithm.RECURSIVE_DOUBLING, ANY, ANY, 0),
                    new Row(
                            Operation.REDUCE_SCATTER,
                            Algorithm.HALVING_DOUBLING,
                            DOUBLING_BYTES_MAX,
                            ANY,
                            0),
                    new Row(Operation.REDUCE_SCATTER, Algorithm.RING, ANY, ANY, 0),
                    new Row(Operation.REDUCE_SCATTER, Algorithm.HALVING_DOUBLING, ANY, ANY, 0),
                    new Row(Operation.ALL_GATHER, Algorithm.BRUCK, DOUBLING_BYTES_MAX, ANY, 0),
                    new Row(Operation.ALL_GATHER, Algorithm.RING, ANY, ANY, 0),
                    new Row(Operation.REDUCE, Algorithm.BINOMIAL_TREE, DOUBLING_BYTES_MAX, ANY, 0),
                    new Row(Operation.REDUCE, Algorithm.HALVING_DOUBLING, ANY, ANY, 0),
                    new Row(Operation.GATHER, Algorithm.BINOMIAL_TREE, DOUBLING_BYTES_MAX, ANY, 0),
                    new Row(Operation.GATHER, Algorithm.DIRECT, ANY, ANY, 0),
                    new Row(Operation.SCATTER, Algorithm.BINOMIAL_TREE, DOUBLING_BYTES_MAX, ANY, 0),
                    new Row(Operation.SCATTER, Algorithm.DIRECT, ANY, ANY, 0),
                    new Row(Operation.ALL_TO_ALL, Algorithm.PAIRWISE, ANY, ANY, 0),
                    new Row(Operation.SCAN, Algorithm.HILLIS_STEELE, DOUBLING_BYTES_MAX, ANY, 0),
                    new Row(Operation.SCAN, Algorithm.RING, ANY, ANY, 0),
                    new Row(
                            Operation.EXCLUSIVE_SCAN,
                            Algorithm.HILLIS_STEELE,
                            DOUBLING_BYTES_MAX,
                            ANY,
                            0),
                    new Row(Operation.EXCLUSIVE_SCAN, Algorithm.RING, ANY, ANY, 0));

    private final AlgorithmPolicy policy;
    private final boolean isDeterministic;

    /**
     * One row.
     *
     * @param bytesMax the longest vector that it is for
     * @param sizeMax the most ranks that it is for
     * @param itemsPerRankMin a ring of empty shares is only rounds
     */
    private record Row(
            Operation operation,
            Algorithm algorithm,
            long bytesMax,
            long sizeMax,
            long itemsPerRankMin) {
        boolean fits(AlgorithmPolicy.Question question) {
            return operation == question.operation()
                    && question.bytes() <= bytesMax
                    && question.size() <= sizeMax
                    && question.items() / question.size() >= itemsPerRankMin
                    && isInOrder(question, algorithm);
        }
    }

    /**
     * Chooses by the built-in table.
     *
     * @param isDeterministic whether an element's result may depend on nothing but the ranks'
     *     values: then every reduction goes the same way whatever its length
     */
    public AlgorithmChoice(boolean isDeterministic) {
        this(isDeterministic, AlgorithmChoice::byTable);
    }

    public AlgorithmChoice(boolean isDeterministic, AlgorithmPolicy policy) {
        this.isDeterministic = isDeterministic;
        this.policy = policy;
    }

    /**
     * Returns the algorithm for a call.
     *
     * @param forced AUTO to choose
     * @throws IllegalArgumentException if the operation has no such algorithm, or the reduction
     *     does not commute and the forced algorithm does not keep the ranks' order
     */
    public Algorithm choose(Algorithm forced, AlgorithmPolicy.Question question) {
        if (forced != Algorithm.AUTO) {
            PlanCatalog.entry(question.operation(), forced);
            if (!isInOrder(question, forced)) {
                throw new IllegalArgumentException(
                        "%s by %s does not keep the ranks' order, which the reduction needs"
                                .formatted(question.operation().methodName(), forced));
            }
            return forced;
        }
        if (isDeterministic && question.operation().isReducing()) {
            return deterministic(question.operation());
        }
        return policy.choose(question);
    }

    /**
     * One fixed order over the ranks, with the same brackets, for each element wherever it lies: so
     * no ring, and one algorithm for every length.
     */
    private static Algorithm deterministic(Operation operation) {
        return switch (operation) {
            case ALL_REDUCE -> Algorithm.RECURSIVE_DOUBLING;
            case REDUCE_SCATTER, REDUCE -> Algorithm.HALVING_DOUBLING;
            case SCAN, EXCLUSIVE_SCAN -> Algorithm.HILLIS_STEELE;
            case BARRIER, BROADCAST, ALL_GATHER, GATHER, SCATTER, ALL_TO_ALL ->
                    throw new IllegalArgumentException(operation + " combines nothing");
        };
    }

    private static Algorithm byTable(AlgorithmPolicy.Question question) {
        for (Row row : TABLE) {
            if (row.fits(question)) {
                return row.algorithm();
            }
        }
        throw new IllegalStateException("no algorithm for " + question);
    }

    private static boolean isInOrder(AlgorithmPolicy.Question question, Algorithm algorithm) {
        return !question.needsRankOrder()
                || PlanCatalog.entry(question.operation(), algorithm).keepsRankOrder();
    }
}
