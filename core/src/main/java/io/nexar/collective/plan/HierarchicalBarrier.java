package io.nexar.collective.plan;

import static io.nexar.Algorithm.BINOMIAL_TREE;
import static io.nexar.Algorithm.DISSEMINATION;
import static io.nexar.collective.plan.Operation.BARRIER;
import static io.nexar.collective.plan.Operation.BROADCAST;

/**
 * Barrier inside the hosts, then between them (N. T. Karonis, B. R. de Supinski, I. Foster, W.
 * Gropp, E. Lusk, J. Bresnahan, "Exploiting hierarchy in parallel computer networks to optimize
 * collective operation performance", IPDPS 2000).
 *
 * <p>A {@link DisseminationBarrier} on each host, one between the first ranks of the hosts, and
 * then a signal from these to all of their host, along the tree of {@link BinomialBroadcast}.
 *
 * <p>Cost: rounds 2T+U, bytes per rank 0, with S ranks on each host; T is log2 S and U is log2 of
 * the number of hosts, both rounded up.
 */
final class HierarchicalBarrier {
    private HierarchicalBarrier() {}

    static Plan plan(PlanRequest request) {
        Composition whole = new Composition(request, 1);
        HostTree tree = new HostTree(whole, request, 0);
        Composition.Place nothing = whole.place(BufferRole.OUTPUT);
        tree.inside(BARRIER, DISSEMINATION, nothing, nothing);
        if (HostGrid.placement(request).hosts() > 1) {
            tree.between(BARRIER, DISSEMINATION, nothing, nothing);
            tree.inside(BROADCAST, BINOMIAL_TREE, nothing, nothing);
        }
        return whole.build();
    }
}
