package io.nexar.collective.plan;

import static io.nexar.Algorithm.BINOMIAL_TREE;
import static io.nexar.collective.plan.Operation.BROADCAST;

/**
 * Broadcast between the hosts, then inside them (N. T. Karonis, B. R. de Supinski, I. Foster, W.
 * Gropp, E. Lusk, J. Bresnahan, "Exploiting hierarchy in parallel computer networks to optimize
 * collective operation performance", IPDPS 2000).
 *
 * <p>One rank a host takes part in a {@link BinomialBroadcast} from the root, then each is the root
 * of one on its host. Every host gets the vector once.
 *
 * <p>Cost: rounds T+U, bytes per rank <= N(T+U), with S ranks on each host; T is log2 S and U is
 * log2 of the number of hosts, both rounded up.
 */
final class HierarchicalBroadcast {
    private HierarchicalBroadcast() {}

    static Plan plan(PlanRequest request) {
        Composition whole = new Composition(request, 1);
        HostTree tree = new HostTree(whole, request, 1);
        Composition.Place output = whole.place(BufferRole.OUTPUT);
        Composition.Place input = whole.place(BufferRole.INPUT);
        tree.between(BROADCAST, BINOMIAL_TREE, input, output);
        // Behind the first stage the root has the vector in its output as well.
        boolean isFirst = HostGrid.placement(request).hosts() == 1;
        tree.inside(BROADCAST, BINOMIAL_TREE, isFirst ? input : output, output);
        return whole.build();
    }
}
