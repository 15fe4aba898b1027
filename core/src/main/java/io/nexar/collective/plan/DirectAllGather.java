package io.nexar.collective.plan;

/**
 * allGather by direct exchange, for small messages: everybody sends its share to everybody at once
 * (folklore; E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, "Collective communication:
 * theory, practice, and experience", Concurrency and Computation 19(13), 2007).
 *
 * <p>As many bytes as any other way, in one round, but P - 1 messages from each rank.
 *
 * <p>Cost: rounds 1, bytes per rank N(P-1)/P, where N is the size of the gathered vector.
 */
final class DirectAllGather {
    private DirectAllGather() {}

    static Plan plan(PlanRequest request) {
        Range own = Range.input(0, 1);
        PlanBuilder plan = new PlanBuilder(request, request.size());
        plan.copy(own, Range.output(request.rank(), 1));
        // Starting with the right neighbour, so that not all send to rank 0 first.
        for (int distance = 1; distance < request.size(); distance++) {
            int from = request.onRing(request.rank() - distance);
            plan.send(request.onRing(request.rank() + distance), own)
                    .receive(from, Range.output(from, 1));
        }
        return plan.build();
    }
}
