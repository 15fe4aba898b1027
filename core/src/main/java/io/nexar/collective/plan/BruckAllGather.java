package io.nexar.collective.plan;

/**
 * allGather in log2 P rounds for any number of ranks (J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D.
 * Weathersby, "Efficient algorithms for all-to-all communications in multiport message-passing
 * systems", IEEE Transactions on Parallel and Distributed Systems 8(11), 1997).
 *
 * <p>Before round k rank r has the 2^k shares from its own on, round the ring. It sends them, or as
 * many as are missing there, to the rank 2^k to its left, and takes as many from the rank 2^k to
 * its right.
 *
 * <p>Bruck collects the shares in the order in which they come and turns them round at last. Here
 * each goes to its place in OUTPUT at once; where the shares run over the last one to share 0 they
 * are two messages instead of one, on both sides alike.
 *
 * <p>Cost: rounds C, bytes per rank N(P-1)/P, where N is the size of the gathered vector and C is
 * log2 P rounded up.
 */
final class BruckAllGather {
    private BruckAllGather() {}

    static Plan plan(PlanRequest request) {
        int size = request.size();
        int rank = request.rank();
        Range own = Range.input(0, 1);
        PlanBuilder plan = new PlanBuilder(request, size);
        plan.copy(own, Range.output(rank, 1));
        plan.send(request.previous(), own).receive(request.next(), Range.output(request.next(), 1));
        for (int held = 2; held < size; held *= 2) {
            int count = Math.min(held, size - held);
            int from = request.onRing(rank + held);
            plan.nextRound();
            for (Range part : roundTheRing(rank, count, size)) {
                plan.send(request.onRing(rank - held), part);
            }
            for (Range part : roundTheRing(from, count, size)) {
                plan.receive(from, part);
            }
        }
        return plan.build();
    }

    private static Range[] roundTheRing(int first, int count, int size) {
        int atOnce = Math.min(count, size - first);
        return atOnce == count
                ? new Range[] {Range.output(first, count)}
                : new Range[] {Range.output(first, atOnce), Range.output(0, count - atOnce)};
    }
}
