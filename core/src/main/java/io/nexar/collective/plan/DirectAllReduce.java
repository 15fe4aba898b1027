package io.nexar.collective.plan;

/**
 * allReduce by direct exchange, for tiny messages: everybody sends its vector to everybody at once,
 * and each rank combines all of them itself, from rank 0 up. (Direct exchange is folklore; the
 * trade of bytes for rounds is measured in E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn,
 * "Collective communication: theory, practice, and experience", Concurrency and Computation 19(13),
 * 2007.)
 *
 * <p>Every element is (((0 + 1) + 2) + 3)... on every rank, so the order is the ranks' and the bits
 * are the same. SCRATCH has a slot for each rank; a rank's own vector stays in INPUT, and its own
 * slot holds the partial results: OUTPUT may be INPUT's memory, so it is written last.
 *
 * <p>Cost: rounds 1, bytes per rank N(P-1).
 */
final class DirectAllReduce {
    private DirectAllReduce() {}

    static Plan plan(PlanRequest request) {
        int size = request.size();
        int rank = request.rank();
        PlanBuilder plan = new PlanBuilder(request, 1).buffer(BufferRole.SCRATCH, new int[size]);
        // Starting with the right neighbour, so that not all send to rank 0 first.
        for (int distance = 1; distance < size; distance++) {
            int to = request.onRing(rank + distance);
            int from = request.onRing(rank - distance);
            plan.send(to, Range.input(0, 1)).receive(from, Range.scratch(from, 1));
        }
        return RankOrder.reduce(plan, request, Range.input(0, 1)).build();
    }
}
