package io.nexar.collective.plan;

/**
 * reduceScatter by recursive halving (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of
 * collective communication operations in MPICH", International Journal of High Performance
 * Computing Applications 19(1), 2005), in rank order.
 *
 * <p>Ranks are folded to a power of two ({@link Folding}). In halving k the partners at distance
 * 2^k each send the shares of those ranks whose number has the other's bit k, and take in those
 * with their own. Beginning with the smallest distance keeps operands in rank order; for each
 * halving's shares to lie side by side, all ranks first copy their shares into SCRATCH sorted by
 * the numbers' bits read backwards. A pair's two shares stay together, and its active rank hands
 * one on at last.
 *
 * <p>Cost: rounds L+2F, bytes per rank N(P-1+F)/P; L is log2 P rounded down, F is 0 for powers of
 * two and else 1.
 */
final class HalvingReduceScatter {
    private final int rank;
    private final int size;
    private final Folding folding;
    private final PlanBuilder plan;

    /** The share in each slot of SCRATCH. */
    private final int[] packed;

    /** The first slot of each number's shares, by the number read backwards; and the end. */
    private final int[] starts;

    private HalvingReduceScatter(PlanRequest request) {
        rank = request.rank();
        size = request.size();
        folding = new Folding(request);
        plan = new PlanBuilder(request, size);
        packed = new int[size];
        int numbers = 1 << folding.doublings();
        starts = new int[numbers + 1];
        int slot = 0;
        for (int place = 0; place < numbers; place++) {
            starts[place] = slot;
            int number = reversed(place);
            for (int r = folding.firstRank(number); r < folding.firstRank(number + 1); r++) {
                packed[slot++] = r;
            }
        }
        starts[numbers] = slot;
    }

    static Plan plan(PlanRequest request) {
        return new HalvingReduceScatter(request).plan();
    }

    private Plan plan() {
        plan.buffer(BufferRole.SCRATCH, packed);
        for (int slot = 0; slot < size; slot++) {
            plan.copy(Range.input(packed[slot], 1), Range.scratch(slot, 1));
        }
        Range whole = Range.scratch(0, size);
        plan.nextRound();
        if (!folding.isActive()) {
            plan.send(folding.partner(), whole);
        } else if (folding.isPaired()) {
            plan.receiveReduce(folding.partner(), whole, whole, false);
        }
        if (folding.isActive()) {
            halve();
        }
        plan.round(folding.doublings() + 3);
        finish();
        return plan.build();
    }

    private void halve() {
        int number = folding.number();
        for (int k = 0; k < folding.doublings(); k++) {
            int partner = folding.rankOf(number ^ (1 << k));
            Range kept = window(number, k + 1);
            plan.nextRound()
                    .send(partner, window(number ^ (1 << k), k + 1))
                    .receiveReduce(partner, kept, kept, partner < rank);
        }
        plan.nextRound().scale(window(number, folding.doublings()));
    }

    private void finish() {
        Range own = Range.output(0, 1);
        if (!folding.isActive()) {
            plan.receive(folding.partner(), own);
            return;
        }
        int slot = starts[reversed(folding.number())];
        plan.copy(Range.scratch(slot, 1), own);
        if (folding.isPaired()) {
            plan.send(folding.partner(), Range.scratch(slot + 1, 1));
        }
    }

    /** The shares that a number works on after so many halvings. */
    private Range window(int number, int halvings) {
        int length = starts.length - 1 >> halvings;
        int place = reversed(number) / length * length;
        return Range.scratch(starts[place], starts[place + length] - starts[place]);
    }

    private int reversed(int number) {
        return Integer.reverse(number) >>> Integer.SIZE - folding.doublings();
    }
}
