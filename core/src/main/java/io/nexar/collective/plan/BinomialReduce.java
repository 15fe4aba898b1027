package io.nexar.collective.plan;

/**
 * Reduce along a binomial tree (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
 * communication operations in MPICH", International Journal of High Performance Computing
 * Applications 19(1), 2005), in rank order for every root.
 *
 * <p>The tree is {@link BlockTree}'s. In round k the owner of a block of 2^k ranks either gives the
 * block's sum to its parent, or takes in that of the neighbouring block, on its left or on its
 * right as the ranks lie. So operands stay in rank order, and the brackets are the same for every
 * root.
 *
 * <p>The root sums in OUTPUT, others in SCRATCH: they have no OUTPUT, and INPUT is never written.
 *
 * <p>Cost: rounds C, bytes per rank N; C is log2 P rounded up.
 */
final class BinomialReduce {
    private BinomialReduce() {}

    static Plan plan(PlanRequest request) {
        BlockTree tree = new BlockTree(request);
        boolean isRoot = request.rank() == request.root();
        PlanBuilder plan = new PlanBuilder(request, 1);
        if (!isRoot) {
            plan.wholeBuffer(BufferRole.SCRATCH);
        }
        Range sum = isRoot ? Range.output(0, 1) : Range.scratch(0, 1);
        Range current = Range.input(0, 1);
        for (int level = 0; level < tree.levels(); level++) {
            plan.round(level);
            BlockTree.Edge edge = tree.edge(level);
            if (edge != null && edge.isToParent()) {
                plan.send(edge.peer(), current);
            } else if (edge != null) {
                boolean isLeft = edge.block().first() < request.rank();
                plan.receiveReduce(edge.peer(), current, sum, isLeft);
                current = sum;
            }
        }
        plan.nextRound();
        if (isRoot) {
            plan.scale(sum);
        }
        return plan.build();
    }
}
