package io.nexar.collective.plan;

import static io.nexar.Algorithm.BINOMIAL_TREE;
import static io.nexar.collective.plan.Operation.REDUCE;

/**
 * Reduce inside the hosts, then between them (N. T. Karonis, B. R. de Supinski, I. Foster, W.
 * Gropp, E. Lusk, J. Bresnahan, "Exploiting hierarchy in parallel computer networks to optimize
 * collective operation performance", IPDPS 2000).
 *
 * <p>One rank a host, the root on its own, is the root of a {@link BinomialReduce} on its host;
 * then these have one to the root. Every host sends one vector. Operands stand in the order of
 * hosts.
 *
 * <p>Cost: rounds T+U, bytes per rank N, with S ranks on each host; T is log2 S and U is log2 of
 * the number of hosts, both rounded up.
 */
final class HierarchicalReduce {
    private HierarchicalReduce() {}

    static Plan plan(PlanRequest request) {
        Composition whole = new Composition(request, 1);
        HostTree tree = new HostTree(whole, request, 1);
        Placement placement = HostGrid.placement(request);
        Composition.Place input = whole.place(BufferRole.INPUT);
        boolean isRoot = request.rank() == request.root();
        boolean isAlone = placement.ranksOn(placement.hostOf(request.rank())).length == 1;
        // Of the others only leaders get a sum, for which they have no output.
        Composition.Place sum =
                isRoot
                        ? whole.place(BufferRole.OUTPUT)
                        : tree.isLeader() && !isAlone ? whole.scratch(0) : input;
        tree.inside(REDUCE, BINOMIAL_TREE, input, sum);
        tree.between(REDUCE, BINOMIAL_TREE, isAlone ? input : sum, sum);
        return whole.build();
    }
}
