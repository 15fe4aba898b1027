package io.nexar.collective.plan;

/**
 * Gather along a binomial tree (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
 * communication operations in MPICH", International Journal of High Performance Computing
 * Applications 19(1), 2005).
 *
 * <p>The tree is {@link BlockTree}'s. In round k the owner of a block of 2^k ranks either sends the
 * block's shares to its parent, or takes in those of the neighbouring block. A block's shares lie
 * in rank order, so each is one message: in the root's OUTPUT, and in SCRATCH on the way. A rank
 * without children sends its INPUT.
 *
 * <p>Cost: rounds C, bytes per rank <= NH/P; C is log2 P rounded up, H the largest power of two
 * below P.
 */
final class BinomialGather {
    private BinomialGather() {}

    static Plan plan(PlanRequest request) {
        BlockTree tree = new BlockTree(request);
        PlanBuilder plan = new PlanBuilder(request, request.size());
        Range own = Range.input(0, 1);
        BlockTree.Block held = new BlockTree.Block(0, request.size());
        BufferRole place = BufferRole.OUTPUT;
        if (request.rank() != request.root()) {
            held = tree.parentEdge().block();
            place = held.ranks() == 1 ? BufferRole.INPUT : BufferRole.SCRATCH;
            plan.buffer(BufferRole.SCRATCH, place == BufferRole.SCRATCH ? ranks(held) : new int[0]);
        }
        if (place != BufferRole.INPUT) {
            plan.copy(own, new Range(place, request.rank() - held.first(), 1));
        }
        for (int level = 0; level < tree.levels(); level++) {
            plan.round(level);
            BlockTree.Edge edge = tree.edge(level);
            if (edge != null && edge.isToParent()) {
                plan.send(edge.peer(), new Range(place, 0, held.ranks()));
            } else if (edge != null) {
                BlockTree.Block block = edge.block();
                plan.receive(
                        edge.peer(), new Range(place, block.first() - held.first(), block.ranks()));
            }
        }
        return plan.build();
    }

    /** The shares of a block, which are its ranks'. */
    static int[] ranks(BlockTree.Block block) {
        int[] ranks = new int[block.ranks()];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = block.first() + i;
        }
        return ranks;
    }
}
