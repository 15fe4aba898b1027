package io.nexar.collective.plan;

/**
 * Barrier by dissemination (D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier
 * synchronization", International Journal of Parallel Programming 17(1), 1988).
 *
 * <p>In round k each rank signals the rank 2^k to its right and waits for the signal of the rank
 * 2^k to its left, which by then has heard of the 2^k ranks up to itself. After the last round
 * everybody has heard of everybody. There is no root, so no rank is late for all.
 *
 * <p>Cost: rounds C, bytes per rank 0; C is log2 P rounded up.
 */
final class DisseminationBarrier {
    private DisseminationBarrier() {}

    static Plan plan(PlanRequest request) {
        PlanBuilder plan = new PlanBuilder(request, 1);
        int round = 0;
        for (int distance = 1; distance < request.size(); distance *= 2) {
            plan.round(round++)
                    .signal(request.onRing(request.rank() + distance))
                    .receiveSignal(request.onRing(request.rank() - distance));
        }
        return plan.build();
    }
}
