package io.nexar.collective.plan;

/**
 * Reduce by halving the vector and gathering its shares (R. Rabenseifner, "Optimization of
 * collective reduction operations", International Conference on Computational Science, 2004): for
 * long vectors.
 *
 * <p>First {@link VectorHalving}, after which each of 2^L ranks holds one finished share. Then the
 * partners meet in reverse, the farthest first: of each two, the one whose bit is not the root's
 * sends what it holds to the other and is done, until the root has everything. In the root's pair
 * the root is the active one, so that nothing is handed on.
 *
 * <p>The root sums in OUTPUT, others in SCRATCH: they have no OUTPUT, and INPUT is never written.
 * Operands are in rank order, with the same brackets in every share and for every root.
 *
 * <p>Cost: rounds 2L+F, bytes per rank N(Q-1)/Q+N/2; Q is 2^L, F is 0 for powers of two and else 1.
 */
final class HalvingReduce {
    private HalvingReduce() {}

    static Plan plan(PlanRequest request) {
        boolean isRoot = request.rank() == request.root();
        BufferRole sums = isRoot ? BufferRole.OUTPUT : BufferRole.SCRATCH;
        VectorHalving halving = new VectorHalving(request, sums);
        Folding folding = halving.folding();
        PlanBuilder plan = new PlanBuilder(request, halving.shares());
        if (!isRoot && folding.isActive()) {
            plan.wholeBuffer(BufferRole.SCRATCH);
        }
        halving.addTo(plan);
        int round = halving.rounds();
        int number = folding.number();
        int difference = number ^ folding.numberOf(request.root());
        for (int k = folding.doublings() - 1; k >= 0; k--) {
            plan.round(round++);
            int partnerNumber = number ^ (1 << k);
            int partner = folding.rankOf(partnerNumber);
            boolean isDone = !folding.isActive() || difference >> k + 1 != 0;
            if (!isDone && (difference >> k & 1) == 0) {
                plan.receive(partner, halving.window(partnerNumber, k + 1));
            } else if (!isDone) {
                plan.send(partner, halving.window(number, k + 1));
            }
        }
        return plan.build();
    }
}
