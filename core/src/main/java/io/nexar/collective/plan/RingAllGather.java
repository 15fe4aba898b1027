package io.nexar.collective.plan;

/**
 * allGather round a ring (P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for
 * clusters of workstations", Journal of Parallel and Distributed Computing 69(2), 2009; its second
 * half).
 *
 * <p>In round k rank r sends share r - k to its right and receives share r - k - 1 from its left:
 * it passes on what it received in the round before, and starts with its own share.
 *
 * <p>Cost: rounds P-1, bytes per rank N(P-1)/P, where N is the size of the gathered vector.
 */
final class RingAllGather {
    private RingAllGather() {}

    static Plan plan(PlanRequest request) {
        int rank = request.rank();
        Range own = Range.input(0, 1);
        PlanBuilder plan = new PlanBuilder(request, request.size());
        plan.copy(own, Range.output(rank, 1));
        for (int k = 0; k < request.size() - 1; k++) {
            Range passedOn = k == 0 ? own : Range.output(request.onRing(rank - k), 1);
            Range arriving = Range.output(request.onRing(rank - k - 1), 1);
            plan.round(k).send(request.next(), passedOn).receive(request.previous(), arriving);
        }
        return plan.build();
    }
}
