package io.nexar.collective.plan;

import static io.nexar.Algorithm.BINOMIAL_TREE;
import static io.nexar.Algorithm.BRUCK;
import static io.nexar.collective.plan.Operation.ALL_GATHER;
import static io.nexar.collective.plan.Operation.BROADCAST;
import static io.nexar.collective.plan.Operation.GATHER;

/**
 * allGather between the hosts, then inside them, on all their ranks at once (J. L. Traeff, S.
 * Hunold, "Decomposing MPI collectives for exploiting multi-lane communication", IEEE Cluster,
 * 2020).
 *
 * <p>Ranks stand in a {@link HostGrid}. Leaders gather their blocks' shares ({@link
 * BinomialGather}), those of each column exchange them over the hosts, those of each host exchange
 * what their columns have ({@link BruckAllGather} both), and give all to their blocks ({@link
 * BinomialBroadcast}).
 *
 * <p>Cost: rounds T+U, bytes per rank N(P-1)/P, with S ranks on each host; T is log2 S and U is
 * log2 of the number of hosts, both rounded up.
 */
final class HierarchicalAllGather {
    private HierarchicalAllGather() {}

    static Plan plan(PlanRequest request) {
        HostGrid grid = new HostGrid(request);
        Composition whole = new Composition(request, request.size());
        Composition.Place all = whole.place(BufferRole.OUTPUT);
        new HostStages(whole, grid)
                .inBlock(GATHER, BINOMIAL_TREE, grid.ranksOfBlock(), all)
                .inColumn(ALL_GATHER, BRUCK, grid.blocksOfColumn(), all)
                .inRow(ALL_GATHER, BRUCK, grid.ranksOfColumns(), all)
                .inBlock(BROADCAST, BINOMIAL_TREE, Composition.cut(0, 1, request.size()), all);
        return whole.build();
    }
}
