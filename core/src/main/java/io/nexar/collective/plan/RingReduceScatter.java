package io.nexar.collective.plan;

/**
 * reduceScatter round a ring (P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for
 * clusters of workstations", Journal of Parallel and Distributed Computing 69(2), 2009; its first
 * half).
 *
 * <p>Each share travels once round the ring and every rank adds its own part on the way: share s
 * starts at rank s + 1 and is complete at rank s. So in round k rank r sends share r - 1 - k to its
 * right, receives share r - 2 - k from its left, and ends with exactly share r. The operands' order
 * is the ring's from s + 1 on, another one for each share: for commutative operations only.
 *
 * <p>INPUT is never written: shares on their way lie in SCRATCH. That also makes the in-place form
 * right, in which OUTPUT is the memory of INPUT's share r: rank r reads that share last, in the
 * step that writes it.
 *
 * <p>Cost: rounds P-1, bytes per rank N(P-1)/P.
 */
final class RingReduceScatter {
    private RingReduceScatter() {}

    static Plan plan(PlanRequest request) {
        int size = request.size();
        int rank = request.rank();
        PlanBuilder plan = new PlanBuilder(request, size);
        int[] travelling = new int[size - 2];
        for (int k = 0; k < travelling.length; k++) {
            travelling[k] = request.onRing(rank - 2 - k);
        }
        plan.buffer(BufferRole.SCRATCH, travelling);
        for (int k = 0; k < size - 1; k++) {
            int arriving = request.onRing(rank - 2 - k);
            boolean last = k == size - 2;
            plan.round(k)
                    .send(
                            request.next(),
                            k == 0
                                    ? Range.input(request.onRing(rank - 1), 1)
                                    : Range.scratch(k - 1, 1))
                    .receiveReduce(
                            request.previous(),
                            Range.input(arriving, 1),
                            last ? Range.output(0, 1) : Range.scratch(k, 1),
                            true);
        }
        return plan.nextRound().scale(Range.output(0, 1)).build();
    }
}
