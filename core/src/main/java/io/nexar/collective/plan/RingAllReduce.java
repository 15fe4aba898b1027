package io.nexar.collective.plan;

/**
 * allReduce round a ring (P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for
 * clusters of workstations", Journal of Parallel and Distributed Computing 69(2), 2009), the fewest
 * bytes that an allReduce can do with.
 *
 * <p>First half, {@link RingReduceScatter}'s: in round k rank r sends share r - 1 - k to its right
 * and adds its own part to share r - 2 - k from its left. Rank r then holds the whole sum of share
 * r, and finishes it (AVG) before anybody else sees it, so that all get the same bits. Second half,
 * {@link RingAllGather}'s: share r - k goes right, share r - k - 1 comes from the left.
 *
 * <p>Sums are made in OUTPUT out of INPUT, without a copy first. Each share has an order of
 * operands of its own: for commutative operations only.
 *
 * <p>Cost: rounds 2(P-1), bytes per rank 2N(P-1)/P.
 */
final class RingAllReduce {
    private RingAllReduce() {}

    static Plan plan(PlanRequest request) {
        int rank = request.rank();
        PlanBuilder plan = new PlanBuilder(request, request.size());
        int halfRounds = request.size() - 1;
        for (int k = 0; k < halfRounds; k++) {
            int leaving = request.onRing(rank - 1 - k);
            int arriving = request.onRing(rank - 2 - k);
            plan.round(k)
                    .send(request.next(), k == 0 ? Range.input(leaving, 1) : sum(leaving))
                    .receiveReduce(
                            request.previous(), Range.input(arriving, 1), sum(arriving), true);
        }
        plan.round(halfRounds).scale(sum(rank));
        for (int k = 0; k < halfRounds; k++) {
            plan.round(halfRounds + 1 + k)
                    .send(request.next(), sum(request.onRing(rank - k)))
                    .receive(request.previous(), sum(request.onRing(rank - k - 1)));
        }
        return plan.build();
    }

    private static Range sum(int share) {
        return Range.output(share, 1);
    }
}
