package io.nexar.collective.plan;

/**
 * allReduce by halving and doubling the vector (R. Rabenseifner, "Optimization of collective
 * reduction operations", International Conference on Computational Science, 2004): nearly the
 * ring's bytes in few rounds.
 *
 * <p>First {@link VectorHalving}, after which each of 2^L ranks holds one finished share; then the
 * same partners in reverse, the farthest first, exchange what they hold until each has everything.
 * Where P is no power of two, the active one of each pair sends the result to the other at last.
 *
 * <p>Operands are in rank order, and every share has the same brackets, those of {@link
 * RecursiveDoublingAllReduce}: both give the same bits.
 *
 * <p>Cost: rounds 2L+2F, bytes per rank 2N(Q-1)/Q+NF; Q is 2^L, F is 0 for powers of two and else
 * 1.
 */
final class HalvingDoublingAllReduce {
    private HalvingDoublingAllReduce() {}

    static Plan plan(PlanRequest request) {
        VectorHalving halving = new VectorHalving(request, BufferRole.OUTPUT);
        Folding folding = halving.folding();
        PlanBuilder plan = new PlanBuilder(request, halving.shares());
        halving.addTo(plan);
        int round = halving.rounds();
        int number = folding.number();
        for (int k = folding.doublings() - 1; k >= 0; k--) {
            plan.round(round++);
            int partnerNumber = number ^ (1 << k);
            int partner = folding.rankOf(partnerNumber);
            if (folding.isActive()) {
                plan.send(partner, halving.window(number, k + 1))
                        .receive(partner, halving.window(partnerNumber, k + 1));
            }
        }
        if (folding.hasPairs()) {
            plan.round(round);
        }
        Range whole = Range.output(0, halving.shares());
        if (folding.isPaired() && folding.isActive()) {
            plan.send(folding.partner(), whole);
        } else if (folding.isPaired()) {
            plan.receive(folding.partner(), whole);
        }
        return plan.build();
    }
}
