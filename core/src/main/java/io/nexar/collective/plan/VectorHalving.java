package io.nexar.collective.plan;

/**
 * The first half of Rabenseifner's algorithms (R. Rabenseifner, "Optimization of collective
 * reduction operations", International Conference on Computational Science, 2004), in rank order.
 *
 * <p>Ranks are folded to a power of two ({@link Folding}); the vector has 2^L shares. In halving k
 * the partners at distance 2^k, who work on the same window of shares, each send the half of it
 * that the other keeps: bit k of a number says whether it keeps the lower or the upper half.
 * Rabenseifner begins with the largest distance; here it is the smallest, so that every number
 * stands for a block of neighbouring ranks, lower blocks stay left and operands stay in rank order,
 * with the brackets of {@link RecursiveDoublingAllReduce}. In the end number n holds the finished
 * share whose number is n's L bits read backwards.
 *
 * <p>Sums are made in the buffer given, out of INPUT, without a copy first.
 */
final class VectorHalving {
    private final Folding folding;
    private final int rank;
    private final BufferRole sums;

    VectorHalving(PlanRequest request, BufferRole sums) {
        this.folding = new Folding(request);
        this.rank = request.rank();
        this.sums = sums;
    }

    Folding folding() {
        return folding;
    }

    int shares() {
        return 1 << folding.doublings();
    }

    /** The first round after the halvings. */
    int rounds() {
        return folding.doublings() + 2;
    }

    /** The shares that a number works on after so many halvings. */
    Range window(int number, int halvings) {
        int length = shares();
        int first = 0;
        for (int k = 0; k < halvings; k++) {
            length /= 2;
            first += (number >> k & 1) * length;
        }
        return new Range(sums, first, length);
    }

    /** Adds the fold, the halvings and the scaling of the own share. */
    void addTo(PlanBuilder plan) {
        if (!folding.isActive()) {
            plan.send(folding.partner(), Range.input(0, shares()));
            return;
        }
        if (folding.isPaired()) {
            boolean isLeft = folding.partner() < rank;
            Range whole = window(0, 0);
            plan.receiveReduce(folding.partner(), Range.input(0, shares()), whole, isLeft);
        }
        int number = folding.number();
        for (int k = 0; k < folding.doublings(); k++) {
            int partner = folding.rankOf(number ^ (1 << k));
            Range kept = window(number, k + 1);
            Range leaving = window(number ^ (1 << k), k + 1);
            boolean isFirst = k == 0 && !folding.isPaired();
            plan.round(k + 1)
                    .send(partner, isFirst ? inInput(leaving) : leaving)
                    .receiveReduce(partner, isFirst ? inInput(kept) : kept, kept, partner < rank);
        }
        plan.nextRound().scale(window(number, folding.doublings()));
    }

    private static Range inInput(Range range) {
        return Range.input(range.firstSlot(), range.slots());
    }
}
