package io.nexar.collective.plan;

/**
 * allReduce by recursive doubling (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of
 * collective communication operations in MPICH", International Journal of High Performance
 * Computing Applications 19(1), 2005; the pairs that fold a size that is no power of two are theirs
 * as well).
 *
 * <p>Let 2^L be the largest power of two that is not above P. Of the first 2(P - 2^L) ranks each
 * odd one gives its vector to the even one before it and waits. The remaining 2^L ranks, counted
 * anew, each stand for a block of neighbouring ranks. In round k two partners at distance 2^k
 * exchange their blocks' sums: both put the lower block left and the higher one right, so both get
 * the same bits, blocks stay contiguous, and operands stay in rank order. At last the even ones of
 * the pairs send the result back.
 *
 * <p>While a partial sum is being sent the next one must go elsewhere: they alternate between
 * OUTPUT and one SCRATCH slot, so that the last lands in OUTPUT.
 *
 * <p>Cost: rounds L+2F, bytes per rank N(L+F); L is log2 P rounded down, F is 0 for powers of two
 * and else 1.
 */
final class RecursiveDoublingAllReduce {
    private static final Range INPUT = Range.input(0, 1);
    private static final Range OUTPUT = Range.output(0, 1);
    private static final Range SCRATCH = Range.scratch(0, 1);

    private final PlanRequest request;
    private final int doublings;

    /** How many pairs fold. */
    private final int pairs;

    private final PlanBuilder plan;

    private RecursiveDoublingAllReduce(PlanRequest request) {
        this.request = request;
        this.doublings = Integer.numberOfTrailingZeros(Integer.highestOneBit(request.size()));
        this.pairs = request.size() - (1 << doublings);
        this.plan = new PlanBuilder(request, 1).buffer(BufferRole.SCRATCH, 0);
    }

    static Plan plan(PlanRequest request) {
        return new RecursiveDoublingAllReduce(request).plan();
    }

    private Plan plan() {
        int rank = request.rank();
        boolean inPair = rank < 2 * pairs;
        if (inPair && rank % 2 == 1) {
            plan.send(rank - 1, INPUT);
        } else {
            exchange(inPair ? fold() : start());
        }
        if (pairs > 0) {
            plan.round(doublings + 2);
            handBack(inPair);
        } else {
            plan.round(doublings + 1);
        }
        return plan.build();
    }

    /** Takes in the odd neighbour's vector. */
    private Range fold() {
        Range first = place(0);
        plan.receiveReduce(request.rank() + 1, INPUT, first, false);
        return first;
    }

    /** Without a pair: straight from INPUT unless OUTPUT, which may be INPUT, comes next. */
    private Range start() {
        if (doublings % 2 == 0) {
            return INPUT;
        }
        plan.copy(INPUT, SCRATCH);
        return SCRATCH;
    }

    private void exchange(Range first) {
        Range current = first;
        int number = numberOf(request.rank());
        for (int k = 0; k < doublings; k++) {
            int partner = rankOf(number ^ (1 << k));
            Range next = place(k + 1);
            plan.round(k + 1)
                    .send(partner, current)
                    .receiveReduce(partner, current, next, partner < request.rank());
            current = next;
        }
        plan.round(doublings + 1).scale(OUTPUT);
    }

    private void handBack(boolean inPair) {
        int rank = request.rank();
        if (inPair && rank % 2 == 0) {
            plan.send(rank + 1, OUTPUT);
        } else if (inPair) {
            plan.receive(rank - 1, OUTPUT);
        }
    }

    /** Where the sum lies after this many doublings. */
    private Range place(int done) {
        return (doublings - done) % 2 == 0 ? OUTPUT : SCRATCH;
    }

    private int numberOf(int rank) {
        return rank < 2 * pairs ? rank / 2 : rank - pairs;
    }

    private int rankOf(int number) {
        return number < pairs ? 2 * number : number + pairs;
    }
}
