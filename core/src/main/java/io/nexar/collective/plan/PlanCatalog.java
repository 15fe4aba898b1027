package io.nexar.collective.plan;

import static io.nexar.Algorithm.BINOMIAL_TREE;
import static io.nexar.Algorithm.BRUCK;
import static io.nexar.Algorithm.DIRECT;
import static io.nexar.Algorithm.DISSEMINATION;
import static io.nexar.Algorithm.HALVING_DOUBLING;
import static io.nexar.Algorithm.HIERARCHICAL;
import static io.nexar.Algorithm.HILLIS_STEELE;
import static io.nexar.Algorithm.PAIRWISE;
import static io.nexar.Algorithm.RECURSIVE_DOUBLING;
import static io.nexar.Algorithm.REDUCE_SCATTER_ALLGATHER;
import static io.nexar.Algorithm.SCATTER_ALLGATHER;
import static io.nexar.collective.plan.OperandOrder.HOSTS;
import static io.nexar.collective.plan.OperandOrder.NONE;
import static io.nexar.collective.plan.OperandOrder.RANK;
import static io.nexar.collective.plan.Operation.ALL_GATHER;
import static io.nexar.collective.plan.Operation.ALL_REDUCE;
import static io.nexar.collective.plan.Operation.ALL_TO_ALL;
import static io.nexar.collective.plan.Operation.BARRIER;
import static io.nexar.collective.plan.Operation.BROADCAST;
import static io.nexar.collective.plan.Operation.EXCLUSIVE_SCAN;
import static io.nexar.collective.plan.Operation.GATHER;
import static io.nexar.collective.plan.Operation.NEIGHBOR_EXCHANGE;
import static io.nexar.collective.plan.Operation.REDUCE;
import static io.nexar.collective.plan.Operation.REDUCE_SCATTER;
import static io.nexar.collective.plan.Operation.SCAN;
import static io.nexar.collective.plan.Operation.SCATTER;

import io.nexar.Algorithm;

import java.util.List;
import java.util.stream.Stream;

/**
 * Which algorithms each operation has: the one table, with a bounded store of the plans made. Safe
 * for any number of threads; a plan that is in the store is found without a lock.
 */
public final class PlanCatalog {
    private static final List<Entry> TABLE =
            List.of(
                    new Entry(BARRIER, DISSEMINATION, NONE, DisseminationBarrier::plan),
                    new Entry(BARRIER, HIERARCHICAL, NONE, HierarchicalBarrier::plan),
                    new Entry(BROADCAST, BINOMIAL_TREE, NONE, BinomialBroadcast::plan),
                    new Entry(BROADCAST, DIRECT, NONE, DirectBroadcast::plan),
                    new Entry(BROADCAST, SCATTER_ALLGATHER, NONE, ScatterAllGatherBroadcast::plan),
                    new Entry(BROADCAST, HIERARCHICAL, NONE, HierarchicalBroadcast::plan),
                    new Entry(REDUCE, BINOMIAL_TREE, RANK, BinomialReduce::plan),
                    new Entry(REDUCE, HALVING_DOUBLING, RANK, HalvingReduce::plan),
                    new Entry(REDUCE, REDUCE_SCATTER_ALLGATHER, RANK, ComposedReduce::plan),
                    new Entry(REDUCE, HIERARCHICAL, HOSTS, HierarchicalReduce::plan),
                    new Entry(ALL_REDUCE, DIRECT, RANK, DirectAllReduce::plan),
                    new Entry(
                            ALL_REDUCE, RECURSIVE_DOUBLING, RANK, RecursiveDoublingAllReduce::plan),
                    new Entry(ALL_REDUCE, HALVING_DOUBLING, RANK, HalvingDoublingAllReduce::plan),
                    new Entry(ALL_REDUCE, REDUCE_SCATTER_ALLGATHER, RANK, ComposedAllReduce::plan),
                    new Entry(ALL_REDUCE, Algorithm.RING, OperandOrder.RING, RingAllReduce::plan),
                    new Entry(ALL_REDUCE, HIERARCHICAL, HOSTS, HierarchicalAllReduce::plan),
                    new Entry(REDUCE_SCATTER, DIRECT, RANK, DirectReduceScatter::plan),
                    new Entry(
                            REDUCE_SCATTER,
                            PAIRWISE,
                            OperandOrder.RING,
                            PairwiseReduceScatter::plan),
                    new Entry(REDUCE_SCATTER, HALVING_DOUBLING, RANK, HalvingReduceScatter::plan),
                    new Entry(
                            REDUCE_SCATTER,
                            Algorithm.RING,
                            OperandOrder.RING,
                            RingReduceScatter::plan),
                    new Entry(REDUCE_SCATTER, HIERARCHICAL, HOSTS, HierarchicalReduceScatter::plan),
                    new Entry(GATHER, BINOMIAL_TREE, NONE, BinomialGather::plan),
                    new Entry(GATHER, DIRECT, NONE, DirectGather::plan),
                    new Entry(SCATTER, BINOMIAL_TREE, NONE, BinomialScatter::plan),
                    new Entry(SCATTER, DIRECT, NONE, DirectScatter::plan),
                    new Entry(ALL_GATHER, DIRECT, NONE, DirectAllGather::plan),
                    new Entry(ALL_GATHER, BRUCK, NONE, BruckAllGather::plan),
                    new Entry(
                            ALL_GATHER, RECURSIVE_DOUBLING, NONE, RecursiveDoublingAllGather::plan),
                    new Entry(ALL_GATHER, Algorithm.RING, NONE, RingAllGather::plan),
                    new Entry(ALL_GATHER, HIERARCHICAL, NONE, HierarchicalAllGather::plan),
                    new Entry(ALL_TO_ALL, DIRECT, NONE, DirectAllToAll::plan),
                    new Entry(ALL_TO_ALL, PAIRWISE, NONE, PairwiseAllToAll::plan),
                    new Entry(ALL_TO_ALL, BRUCK, NONE, BruckAllToAll::plan),
                    new Entry(SCAN, HILLIS_STEELE, RANK, HillisSteeleScan::plan),
                    new Entry(SCAN, Algorithm.RING, RANK, ChainScan::plan),
                    new Entry(EXCLUSIVE_SCAN, HILLIS_STEELE, RANK, HillisSteeleExclusiveScan::plan),
                    new Entry(EXCLUSIVE_SCAN, Algorithm.RING, RANK, ChainExclusiveScan::plan));

    /** Not in the table, whose plans depend on the world and a root and nothing else. */
    private static final Entry NEIGHBORS =
            new Entry(NEIGHBOR_EXCHANGE, DIRECT, NONE, NeighborExchange::plan);

    private static final List<Entry> ALL =
            Stream.concat(TABLE.stream(), Stream.of(NEIGHBORS)).toList();

    private final PlanCache cache;
    private final boolean isConfirming;

    /**
     * One row of the table.
     *
     * @param order in which operands are combined
     * @param planner for two ranks and more
     */
    public record Entry(
            Operation operation, Algorithm algorithm, OperandOrder order, Planner planner) {
        /** Whether an operation that does not commute comes out right with ranks placed so. */
        public boolean keepsRankOrder(Placement placement) {
            return order.keepsRankOrder(placement);
        }

        /** The same, with plans that are over on no rank before every rank has begun them. */
        public Entry confirmed() {
            return new Entry(
                    operation, algorithm, order, request -> Confirmation.of(planner.plan(request)));
        }

        /** This rank's plan, also in a world of one. */
        public Plan plan(PlanRequest request) {
            if (request.operation() != operation || request.algorithm() != algorithm) {
                throw new IllegalArgumentException(
                        "%s %s was asked for %s".formatted(operation, algorithm, request));
            }
            return request.size() == 1 && operation != NEIGHBOR_EXCHANGE
                    ? WorldOfOne.plan(request)
                    : planner.plan(request);
        }
    }

    public PlanCatalog() {
        this(PlanCache.STEPS_MAX);
    }

    /**
     * @param isConfirming whether its plans are over on no rank before every rank has begun them
     */
    public PlanCatalog(boolean isConfirming) {
        this(PlanCache.STEPS_MAX, isConfirming);
    }

    /**
     * @param stepsMax how many steps the stored plans may have together
     */
    public PlanCatalog(int stepsMax) {
        this(stepsMax, false);
    }

    private PlanCatalog(int stepsMax, boolean isConfirming) {
        this.cache = new PlanCache(stepsMax);
        this.isConfirming = isConfirming;
    }

    /** Whether its plans are over on no rank before every rank has begun them. */
    public boolean isConfirming() {
        return isConfirming;
    }

    /** The whole table: all but neighborExchange, which needs a neighbourhood. */
    public static List<Entry> entries() {
        return TABLE;
    }

    /** The algorithms that the operation has, in the table's order. */
    public static List<Algorithm> algorithms(Operation operation) {
        return ALL.stream()
                .filter(entry -> entry.operation() == operation)
                .map(Entry::algorithm)
                .toList();
    }

    /**
     * The table's row.
     *
     * @throws IllegalArgumentException if the operation has no such algorithm; it names those it
     *     has
     */
    public static Entry entry(Operation operation, Algorithm algorithm) {
        for (Entry entry : ALL) {
            if (entry.operation() == operation && entry.algorithm() == algorithm) {
                return entry;
            }
        }
        throw new IllegalArgumentException(
                "%s has no algorithm %s; it has %s"
                        .formatted(operation.methodName(), algorithm, algorithms(operation)));
    }

    /**
     * The plan for the request, from the store or made now.
     *
     * @throws IllegalArgumentException if the operation has no such algorithm
     */
    public Plan plan(PlanRequest request) {
        Plan known = cache.find(request);
        if (known != null) {
            return known;
        }
        Entry entry = entry(request.operation(), request.algorithm());
        Plan made = (isConfirming ? entry.confirmed() : entry).plan(request);
        cache.keep(made);
        return made;
    }
}
