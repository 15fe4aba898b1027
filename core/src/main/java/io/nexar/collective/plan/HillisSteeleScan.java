package io.nexar.collective.plan;

/**
 * Inclusive scan by doubling distances (W. D. Hillis, G. L. Steele, "Data parallel algorithms",
 * Communications of the ACM 29(12), 1986).
 *
 * <p>Before round k rank r has the sum of the 2^k ranks up to itself. It sends it to rank r + 2^k,
 * if there is one, and puts that of rank r - 2^k left of its own. A rank is finished when there is
 * nobody on its left any more.
 *
 * <p>While a partial sum is being sent the next one must go elsewhere: they alternate between
 * OUTPUT and one SCRATCH slot, so that the last lands in OUTPUT.
 *
 * <p>Cost: rounds C, bytes per rank NC; C is log2 P rounded up.
 */
final class HillisSteeleScan {
    private HillisSteeleScan() {}

    static Plan plan(PlanRequest request) {
        int rank = request.rank();
        Range input = Range.input(0, 1);
        Range output = Range.output(0, 1);
        Range scratch = Range.scratch(0, 1);
        PlanBuilder plan = new PlanBuilder(request, 1).wholeBuffer(BufferRole.SCRATCH);
        // How many sums this rank takes in: one for each distance that fits on its left.
        int left = Integer.SIZE - Integer.numberOfLeadingZeros(rank);
        Range current = input;
        if (left == 0) {
            plan.copy(input, output);
        } else if (left % 2 == 1) {
            // OUTPUT, which may be INPUT, comes next.
            plan.copy(input, scratch);
            current = scratch;
        }
        for (int distance = 1; distance < request.size(); distance *= 2) {
            plan.nextRound();
            if (rank + distance < request.size()) {
                plan.send(rank + distance, current);
            }
            if (rank >= distance) {
                left--;
                Range next = left % 2 == 0 ? output : scratch;
                plan.receiveReduce(rank - distance, current, next, true);
                current = next;
            }
        }
        return plan.build();
    }
}
