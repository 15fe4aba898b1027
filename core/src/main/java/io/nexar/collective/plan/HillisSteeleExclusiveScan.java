package io.nexar.collective.plan;

/**
 * Exclusive scan by doubling distances (W. D. Hillis, G. L. Steele, "Data parallel algorithms",
 * Communications of the ACM 29(12), 1986).
 *
 * <p>Everybody first sends its vector one to the right. Then ranks 1 to P - 1 do {@link
 * HillisSteeleScan} on what they received, so that rank r ends with the sum of ranks 0 to r - 1.
 * Rank 0 has nothing to receive.
 *
 * <p>Partial sums alternate between two SCRATCH slots, and the last goes to OUTPUT.
 *
 * <p>Cost: rounds D+1, bytes per rank N(D+1); D is log2 (P-1) rounded up.
 */
final class HillisSteeleExclusiveScan {
    private HillisSteeleExclusiveScan() {}

    static Plan plan(PlanRequest request) {
        int size = request.size();
        int rank = request.rank();
        int left = rank == 0 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(rank - 1);
        Range output = Range.output(0, 1);
        Range current = Range.scratch(0, 1);
        PlanBuilder plan = new PlanBuilder(request, 1);
        if (rank > 0) {
            plan.buffer(BufferRole.SCRATCH, 0, 0).receive(rank - 1, current);
        }
        if (rank + 1 < size) {
            plan.send(rank + 1, Range.input(0, 1));
        }
        boolean isFinished = left == 0;
        for (int distance = 1; distance < size - 1; distance *= 2) {
            plan.nextRound();
            if (rank > 0 && rank + distance < size) {
                plan.send(rank + distance, current);
            }
            if (rank > distance) {
                Range next = --left == 0 ? output : Range.scratch(1 - current.firstSlot(), 1);
                plan.receiveReduce(rank - distance, current, next, true);
                current = next;
            }
        }
        plan.nextRound();
        if (rank > 0 && isFinished) {
            plan.copy(current, output);
        }
        return plan.build();
    }
}
