package io.nexar.collective.plan;

/**
 * Exclusive scan along a chain (the linear scan of MPI libraries; folklore): rank r takes the sum
 * of the ranks before it from its left neighbour, which is its result, and passes it on with its
 * own part added on the right. The fewest bytes; long vectors are pipelined, since slices follow
 * one another down the chain. Rank 0 has nothing to receive.
 *
 * <p>OUTPUT may be INPUT, which is still needed for the sum: what arrives and what leaves are in
 * SCRATCH.
 *
 * <p>Cost: rounds P-1, bytes per rank N.
 */
final class ChainExclusiveScan {
    private ChainExclusiveScan() {}

    static Plan plan(PlanRequest request) {
        int rank = request.rank();
        int last = request.size() - 1;
        Range input = Range.input(0, 1);
        Range output = Range.output(0, 1);
        Range arrived = Range.scratch(0, 1);
        Range sum = Range.scratch(1, 1);
        PlanBuilder plan = new PlanBuilder(request, 1);
        // Two rounds a rank: a sum is made between arriving and leaving.
        if (rank == 0) {
            plan.send(1, input);
        } else if (rank < last) {
            plan.buffer(BufferRole.SCRATCH, 0, 0)
                    .round(2 * rank - 2)
                    .receive(rank - 1, arrived)
                    .nextRound()
                    .reduce(arrived, input, sum)
                    .nextRound()
                    .send(rank + 1, sum)
                    .copy(arrived, output);
        } else {
            plan.round(2 * rank - 2).receive(rank - 1, output);
        }
        return plan.round(2 * last - 2).build();
    }
}
