package io.nexar.collective.plan;

/**
 * Scatter along a binomial tree (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
 * communication operations in MPICH", International Journal of High Performance Computing
 * Applications 19(1), 2005).
 *
 * <p>The tree is {@link BlockTree}'s, gone down from the root: whoever has the shares of a block of
 * ranks sends half of them to the owner of the other half, the largest blocks first. A block's
 * shares lie in rank order, so each is one message: in the root's INPUT, and in SCRATCH on the way.
 * A rank without children receives straight into OUTPUT.
 *
 * <p>Cost: rounds C, bytes per rank N(P-1)/P; C is log2 P rounded up. The root sends that much.
 */
final class BinomialScatter {
    private BinomialScatter() {}

    static Plan plan(PlanRequest request) {
        BlockTree tree = new BlockTree(request);
        PlanBuilder plan = new PlanBuilder(request, request.size());
        BlockTree.Block held = new BlockTree.Block(0, request.size());
        BufferRole place = BufferRole.INPUT;
        if (request.rank() != request.root()) {
            held = tree.parentEdge().block();
            place = held.ranks() == 1 ? BufferRole.OUTPUT : BufferRole.SCRATCH;
            if (place == BufferRole.SCRATCH) {
                plan.buffer(place, BinomialGather.ranks(held));
            }
        }
        for (int level = tree.levels() - 1; level >= 0; level--) {
            plan.round(tree.levels() - 1 - level);
            BlockTree.Edge edge = tree.edge(level);
            if (edge != null && edge.isToParent()) {
                plan.receive(edge.peer(), new Range(place, 0, held.ranks()));
            } else if (edge != null) {
                BlockTree.Block block = edge.block();
                plan.send(
                        edge.peer(), new Range(place, block.first() - held.first(), block.ranks()));
            }
        }
        plan.nextRound();
        if (place != BufferRole.OUTPUT) {
            plan.copy(new Range(place, request.rank() - held.first(), 1), Range.output(0, 1));
        }
        return plan.build();
    }
}
