package io.nexar.collective.plan;

/**
 * allReduce by recursive doubling (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of
 * collective communication operations in MPICH", International Journal of High Performance
 * Computing Applications 19(1), 2005; the pairs that fold a size that is no power of two are theirs
 * as well).
 *
 * <p>Ranks are folded to a power of two ({@link Folding}): of each pair the odd one gives its
 * vector to the even one before it and waits. The remaining 2^L ranks, counted anew, each stand for
 * a block of neighbouring ranks. In round k two partners at distance 2^k exchange their blocks'
 * sums: both put the lower block left and the higher one right, so both get the same bits, blocks
 * stay contiguous, and operands stay in rank order. At last the even ones of the pairs send the
 * result back.
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
    private final Folding folding;
    private final int doublings;
    private final PlanBuilder plan;

    private RecursiveDoublingAllReduce(PlanRequest request) {
        this.request = request;
        this.folding = new Folding(request);
        this.doublings = folding.doublings();
        this.plan = new PlanBuilder(request, 1).buffer(BufferRole.SCRATCH, 0);
    }

    static Plan plan(PlanRequest request) {
        return new RecursiveDoublingAllReduce(request).plan();
    }

    private Plan plan() {
        if (folding.isActive()) {
            exchange(folding.isPaired() ? fold() : start());
        } else {
            plan.send(folding.partner(), INPUT);
        }
        plan.round(doublings + 1);
        if (folding.hasPairs()) {
            plan.nextRound();
            handBack();
        }
        return plan.build();
    }

    /** Takes in the odd neighbour's vector. */
    private Range fold() {
        Range first = place(0);
        plan.receiveReduce(folding.partner(), INPUT, first, false);
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
        for (int k = 0; k < doublings; k++) {
            int partner = folding.rankOf(folding.number() ^ (1 << k));
            Range next = place(k + 1);
            plan.round(k + 1)
                    .send(partner, current)
                    .receiveReduce(partner, current, next, partner < request.rank());
            current = next;
        }
        plan.round(doublings + 1).scale(OUTPUT);
    }

    private void handBack() {
        if (folding.isPaired() && folding.isActive()) {
            plan.send(folding.partner(), OUTPUT);
        } else if (folding.isPaired()) {
            plan.receive(folding.partner(), OUTPUT);
        }
    }

    /** Where the sum lies after this many doublings. */
    private Range place(int done) {
        return (doublings - done) % 2 == 0 ? OUTPUT : SCRATCH;
    }
}
