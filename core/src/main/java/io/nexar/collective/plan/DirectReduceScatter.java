package io.nexar.collective.plan;

import java.util.Arrays;

/**
 * reduceScatter by direct exchange, in rank order (folklore; E. Chan, M. Heimlich, A. Purkayastha,
 * R. van de Geijn, "Collective communication: theory, practice, and experience", Concurrency and
 * Computation 19(13), 2007).
 *
 * <p>Everybody sends each share to its rank at once, and each rank combines all parts of its share
 * itself, from rank 0 up: (((0 + 1) + 2) + 3)..., the same for every element. SCRATCH has a slot
 * for each rank's part; a rank's own part stays in INPUT, and its own slot holds partial results:
 * OUTPUT may be INPUT's memory, so it is written last.
 *
 * <p>Cost: rounds 1, bytes per rank N(P-1)/P.
 */
final class DirectReduceScatter {
    private DirectReduceScatter() {}

    static Plan plan(PlanRequest request) {
        int size = request.size();
        int rank = request.rank();
        int[] parts = new int[size];
        Arrays.fill(parts, rank);
        PlanBuilder plan = new PlanBuilder(request, size).buffer(BufferRole.SCRATCH, parts);
        for (int distance = 1; distance < size; distance++) {
            int to = request.onRing(rank + distance);
            int from = request.onRing(rank - distance);
            plan.send(to, Range.input(to, 1)).receive(from, Range.scratch(from, 1));
        }
        return RankOrder.reduce(plan, request, Range.input(rank, 1)).build();
    }
}
