package io.nexar.collective.plan;

/**
 * allToAll by pairwise exchange, for long messages (R. Thakur, R. Rabenseifner, W. Gropp,
 * "Optimization of collective communication operations in MPICH", International Journal of High
 * Performance Computing Applications 19(1), 2005).
 *
 * <p>In round k rank r sends to rank r + k and receives from rank r - k: in every round each rank
 * has one sender and one receiver, so that no link carries two of the messages of a round. Every
 * message is one share, so a rank needs to know the sizes of no shares but its own.
 *
 * <p>Cost: rounds P-1, bytes per rank M(P-1)/P, where M is what each rank has for all.
 */
final class PairwiseAllToAll {
    private PairwiseAllToAll() {}

    static Plan plan(PlanRequest request) {
        int size = request.size();
        int rank = request.rank();
        PlanBuilder plan = new PlanBuilder(request, size * size);
        plan.copy(Range.input(rank, 1), Range.output(rank, 1));
        for (int k = 1; k < size; k++) {
            int to = request.onRing(rank + k);
            int from = request.onRing(rank - k);
            plan.round(k - 1).send(to, Range.input(to, 1)).receive(from, Range.output(from, 1));
        }
        return plan.build();
    }
}
