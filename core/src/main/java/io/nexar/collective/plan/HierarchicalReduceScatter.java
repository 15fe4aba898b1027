package io.nexar.collective.plan;

import static io.nexar.Algorithm.BINOMIAL_TREE;
import static io.nexar.Algorithm.DIRECT;
import static io.nexar.Algorithm.HALVING_DOUBLING;
import static io.nexar.collective.plan.Operation.REDUCE;
import static io.nexar.collective.plan.Operation.REDUCE_SCATTER;
import static io.nexar.collective.plan.Operation.SCATTER;

/**
 * reduceScatter inside the hosts, then between them, on all their ranks at once (J. L. Traeff, S.
 * Hunold, "Decomposing MPI collectives for exploiting multi-lane communication", IEEE Cluster,
 * 2020).
 *
 * <p>Ranks stand in a {@link HostGrid}. Each block is summed up by its leader ({@link
 * BinomialReduce}). The leaders of a host share the sum out, each column's ranks' shares to its
 * leader ({@link DirectReduceScatter}); each column shares its part out over the hosts ({@link
 * HalvingReduceScatter}); leaders give their blocks what is theirs ({@link BinomialScatter}).
 *
 * <p>Operands stand in the order of hosts, with the same brackets in every share.
 *
 * <p>Cost: rounds <= 2+U, bytes per rank <= N, with S ranks on each host; T is log2 S and U is log2
 * of the number of hosts, both rounded up.
 */
final class HierarchicalReduceScatter {
    private HierarchicalReduceScatter() {}

    static Plan plan(PlanRequest request) {
        HostGrid grid = new HostGrid(request);
        int size = request.size();
        Composition whole = new Composition(request, size);
        int[] block = grid.block();
        Composition.Place own = whole.place(BufferRole.OUTPUT);
        Composition.Place ofBlock = block.length == 1 ? own : whole.scratch(block);
        Composition.Place ofColumn =
                grid.hosts() == 1 ? ofBlock : whole.scratch(grid.ranksOfColumn(grid.column()));
        Composition.Place all =
                block.length == 1 ? ofColumn : whole.scratch(Composition.cut(0, 1, size)[0]);
        new HostStages(whole, grid)
                .inBlock(REDUCE, BINOMIAL_TREE, Composition.cut(0, 1, size), all)
                .inRow(REDUCE_SCATTER, DIRECT, grid.ranksOfColumns(), ofColumn)
                .inColumn(REDUCE_SCATTER, HALVING_DOUBLING, grid.blocksOfColumn(), ofBlock)
                .inBlock(SCATTER, BINOMIAL_TREE, grid.ranksOfBlock(), own);
        return whole.build();
    }
}
