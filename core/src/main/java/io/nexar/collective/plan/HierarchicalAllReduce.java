package io.nexar.collective.plan;

import static io.nexar.Algorithm.BINOMIAL_TREE;
import static io.nexar.Algorithm.BRUCK;
import static io.nexar.Algorithm.DIRECT;
import static io.nexar.Algorithm.HALVING_DOUBLING;
import static io.nexar.Algorithm.RECURSIVE_DOUBLING;
import static io.nexar.collective.plan.Operation.ALL_GATHER;
import static io.nexar.collective.plan.Operation.ALL_REDUCE;
import static io.nexar.collective.plan.Operation.BROADCAST;
import static io.nexar.collective.plan.Operation.REDUCE;
import static io.nexar.collective.plan.Operation.REDUCE_SCATTER;

import io.nexar.Algorithm;

/**
 * allReduce inside the hosts, then between them, on all their ranks at once (J. L. Traeff, S.
 * Hunold, "Decomposing MPI collectives for exploiting multi-lane communication", IEEE Cluster,
 * 2020).
 *
 * <p>Ranks stand in a {@link HostGrid}. Each block is summed up by its leader ({@link
 * BinomialReduce}). The leaders of a host share the sum out, one part a column ({@link
 * DirectReduceScatter}), and each column sums its part over the hosts. Then back: the leaders of a
 * host collect the parts ({@link BruckAllGather}) and give them to their blocks ({@link
 * BinomialBroadcast}). Between up to three hosts {@link RecursiveDoublingAllReduce} sends no more
 * bytes than {@link HalvingDoublingAllReduce} in fewer rounds; between more it is the latter.
 *
 * <p>Operands stand in the order of hosts, with the same brackets in every share.
 *
 * <p>Cost: rounds <= 1+T+2U, bytes per rank <= N(2S+1)/S, with S ranks on each host; T is log2 S
 * and U is log2 of the number of hosts, both rounded up.
 */
final class HierarchicalAllReduce {
    private static final int HOSTS_DOUBLED_MAX = 3;

    private HierarchicalAllReduce() {}

    static Plan plan(PlanRequest request) {
        HostGrid grid = new HostGrid(request);
        Algorithm between =
                grid.hosts() <= HOSTS_DOUBLED_MAX ? RECURSIVE_DOUBLING : HALVING_DOUBLING;
        int ofColumn = between == HALVING_DOUBLING ? Integer.highestOneBit(grid.hosts()) : 1;
        int shares = grid.columns() * ofColumn;
        Composition whole = new Composition(request, shares);
        Composition.Place sum = whole.place(BufferRole.OUTPUT);
        int[][] vector = Composition.cut(0, 1, shares);
        int[][] columns = Composition.cut(0, grid.columns(), ofColumn);
        int[][] column = Composition.cut(grid.column() * ofColumn, ofColumn, 1);
        new HostStages(whole, grid)
                .inBlock(REDUCE, BINOMIAL_TREE, vector, sum)
                .inRow(REDUCE_SCATTER, DIRECT, columns, sum)
                .inColumn(ALL_REDUCE, between, column, sum)
                .inRow(ALL_GATHER, BRUCK, columns, sum)
                .inBlock(BROADCAST, BINOMIAL_TREE, vector, sum);
        return whole.build();
    }
}
