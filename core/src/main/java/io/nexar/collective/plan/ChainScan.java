package io.nexar.collective.plan;

/**
 * Inclusive scan along a chain (the linear scan of MPI libraries; folklore): rank r takes the sum
 * of the ranks before it from its left neighbour, adds its own part on the right, and passes the
 * result on. The fewest bytes; long vectors are pipelined, since slices follow one another down the
 * chain. Every element is (((0 + 1) + 2) + 3)...
 *
 * <p>Cost: rounds P-1, bytes per rank N.
 */
final class ChainScan {
    private ChainScan() {}

    static Plan plan(PlanRequest request) {
        int rank = request.rank();
        int last = request.size() - 1;
        Range input = Range.input(0, 1);
        Range output = Range.output(0, 1);
        PlanBuilder plan = new PlanBuilder(request, 1);
        if (rank == 0) {
            plan.copy(input, output).send(1, input);
        } else {
            plan.round(rank - 1).receiveReduce(rank - 1, input, output, true);
        }
        if (rank > 0 && rank < last) {
            plan.round(rank).send(rank + 1, output);
        }
        return plan.round(last - 1).build();
    }
}
