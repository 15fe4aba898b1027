package io.nexar.collective;

import io.nexar.Algorithm;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.PlanCost;
import io.nexar.collective.plan.cost.Slicing;
import io.nexar.collective.plan.cost.Topology;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Takes the algorithm that a cost model finds cheapest. The model and the settings of the engine
 * must be the same on all ranks; the arithmetic is exact to the bit on every JVM, so that all ranks
 * come to the same. Any thread.
 */
public final class CostPolicy implements AlgorithmPolicy {
    /**
     * Placements whose costs are kept; the oldest goes first. A job has a few shapes of
     * communicators, however many it makes.
     */
    private static final int PLACEMENTS_MAX = 16;

    private final CostModel model;
    private final LinkClass inHost;
    private final EngineRules rules;

    /** Guarded by this. */
    private final Map<Placement, Map<Operation, List<Candidate>>> known = new HashMap<>();

    /** In the order in which they came; guarded by this. */
    private final Queue<Placement> inOrder = new ArrayDeque<>();

    /** An algorithm with what it costs. */
    private record Candidate(PlanCatalog.Entry entry, PlanCost cost) {}

    /**
     * @param inHost the link between ranks of one host
     * @param rules how engines cut
     */
    public CostPolicy(CostModel model, LinkClass inHost, EngineRules rules) {
        this.model = model;
        this.inHost = inHost;
        this.rules = rules;
    }

    @Override
    public Algorithm choose(
            Operation operation, long bytes, Placement placement, boolean needsRankOrder) {
        Candidate best = null;
        double bestNanos = Double.POSITIVE_INFINITY;
        Slicing slicing = rules.of(placement).slicing();
        for (Candidate candidate : candidates(operation, placement)) {
            double nanos = candidate.cost.nanos(model, slicing, (double) bytes);
            boolean isRight = !needsRankOrder || candidate.entry.keepsRankOrder(placement);
            if (isRight && nanos < bestNanos) {
                best = candidate;
                bestNanos = nanos;
            }
        }
        if (best == null) {
            throw new IllegalStateException("no algorithm for " + operation);
        }
        return best.entry.algorithm();
    }

    private synchronized List<Candidate> candidates(Operation operation, Placement placement) {
        Map<Operation, List<Candidate>> ofPlacement = known.get(placement);
        if (ofPlacement == null) {
            ofPlacement = new HashMap<>();
            known.put(placement, ofPlacement);
            inOrder.add(placement);
            if (inOrder.size() > PLACEMENTS_MAX) {
                known.remove(inOrder.remove());
            }
        }
        return ofPlacement.computeIfAbsent(operation, _ -> made(operation, placement));
    }

    private List<Candidate> made(Operation operation, Placement placement) {
        Topology topology = Topology.of(placement, inHost);
        return PlanCatalog.entries().stream()
                .filter(entry -> entry.operation() == operation)
                .filter(entry -> isUseful(entry.algorithm(), placement))
                .map(entry -> new Candidate(entry, PlanCost.of(entry, topology)))
                .toList();
    }

    /** A form with levels, where there are none, is some other one with more steps. */
    private static boolean isUseful(Algorithm algorithm, Placement placement) {
        return algorithm != Algorithm.HIERARCHICAL || placement.hasLevels();
    }
}
