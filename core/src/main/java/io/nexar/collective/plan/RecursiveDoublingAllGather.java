package io.nexar.collective.plan;

/**
 * allGather by recursive doubling (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of
 * collective communication operations in MPICH", International Journal of High Performance
 * Computing Applications 19(1), 2005).
 *
 * <p>Ranks are folded to a power of two ({@link Folding}): of each pair the odd one gives its share
 * to the even one. In round k two partners at distance 2^k exchange the shares of the blocks of
 * ranks that they stand for, which lie side by side in OUTPUT. At last the even one of each pair
 * sends the odd one all shares but its own. For powers of two this has the fewest bytes; else
 * {@link BruckAllGather} has.
 *
 * <p>Cost: rounds L+2F, bytes per rank <= N(P-1)/P+3NF/2, where N is the size of the gathered
 * vector, L is log2 P rounded down, and F is 0 for powers of two and else 1.
 */
final class RecursiveDoublingAllGather {
    private RecursiveDoublingAllGather() {}

    static Plan plan(PlanRequest request) {
        Folding folding = new Folding(request);
        Range own = Range.input(0, 1);
        PlanBuilder plan = new PlanBuilder(request, request.size());
        plan.copy(own, Range.output(request.rank(), 1));
        if (!folding.isActive()) {
            plan.send(folding.partner(), own);
        } else if (folding.isPaired()) {
            plan.receive(folding.partner(), Range.output(folding.partner(), 1));
        }
        for (int k = 0; k < folding.doublings(); k++) {
            plan.nextRound();
            int partnerNumber = folding.number() ^ (1 << k);
            int partner = folding.rankOf(partnerNumber);
            if (folding.isActive()) {
                plan.send(partner, block(folding, folding.number(), k))
                        .receive(partner, block(folding, partnerNumber, k));
            }
        }
        if (folding.hasPairs()) {
            plan.nextRound();
        }
        if (folding.isPaired()) {
            handBack(plan, folding, request);
        }
        return plan.build();
    }

    /** The shares of the 2^k numbers around this one. */
    private static Range block(Folding folding, int number, int k) {
        int first = folding.firstRank(number >> k << k);
        return Range.output(first, folding.firstRank((number >> k) + 1 << k) - first);
    }

    private static void handBack(PlanBuilder plan, Folding folding, PlanRequest request) {
        int odd = request.rank() | 1;
        Range below = Range.output(0, odd);
        Range above = Range.output(odd + 1, request.size() - odd - 1);
        if (folding.isActive()) {
            plan.send(odd, below).send(odd, above);
        } else {
            plan.receive(folding.partner(), below).receive(folding.partner(), above);
        }
    }
}
