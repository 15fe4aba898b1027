package io.nexar.collective.plan;

/**
 * allToAll by direct exchange: everybody sends everybody its share at once (folklore; E. Chan, M.
 * Heimlich, A. Purkayastha, R. van de Geijn, "Collective communication: theory, practice, and
 * experience", Concurrency and Computation 19(13), 2007).
 *
 * <p>Every message is one share, so a rank needs to know the sizes of no shares but its own.
 *
 * <p>Cost: rounds 1, bytes per rank M(P-1)/P, where M is what each rank has for all.
 */
final class DirectAllToAll {
    private DirectAllToAll() {}

    static Plan plan(PlanRequest request) {
        int size = request.size();
        int rank = request.rank();
        PlanBuilder plan = new PlanBuilder(request, size * size);
        plan.copy(Range.input(rank, 1), Range.output(rank, 1));
        // Starting with the right neighbour, so that not all send to rank 0 first.
        for (int distance = 1; distance < size; distance++) {
            int to = request.onRing(rank + distance);
            int from = request.onRing(rank - distance);
            plan.send(to, Range.input(to, 1)).receive(from, Range.output(from, 1));
        }
        return plan.build();
    }
}
