package io.nexar.collective.plan;

/**
 * reduceScatter by pairwise exchange (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of
 * collective communication operations in MPICH", International Journal of High Performance
 * Computing Applications 19(1), 2005).
 *
 * <p>In round k rank r sends its part of share r + k to rank r + k and adds the part of rank r - k
 * to its own share, on the left. So every part travels once and straight, and no scratch memory is
 * needed. The operands' order is the ring's from r + 1 on, another one for each share: for
 * commutative operations only.
 *
 * <p>Cost: rounds P-1, bytes per rank N(P-1)/P.
 */
final class PairwiseReduceScatter {
    private PairwiseReduceScatter() {}

    static Plan plan(PlanRequest request) {
        int rank = request.rank();
        Range sum = Range.output(0, 1);
        Range current = Range.input(rank, 1);
        PlanBuilder plan = new PlanBuilder(request, request.size());
        for (int k = 1; k < request.size(); k++) {
            int to = request.onRing(rank + k);
            plan.round(k - 1)
                    .send(to, Range.input(to, 1))
                    .receiveReduce(request.onRing(rank - k), current, sum, true);
            current = sum;
        }
        return plan.nextRound().scale(sum).build();
    }
}
