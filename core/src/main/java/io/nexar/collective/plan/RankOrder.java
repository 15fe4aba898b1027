package io.nexar.collective.plan;

import java.util.function.IntFunction;

/**
 * The end of a direct exchange: all ranks' parts are here, and are combined from rank 0 up, (((0 +
 * 1) + 2) + 3)... SCRATCH has a slot for each rank's part; a rank's own part stays in INPUT, and
 * its own slot holds partial results. OUTPUT may be INPUT's memory, so it is written last.
 */
final class RankOrder {
    private RankOrder() {}

    /** Adds the rounds that put the result into OUTPUT's first slot; {@code own} is in INPUT. */
    static PlanBuilder reduce(PlanBuilder plan, PlanRequest request, Range own) {
        int rank = request.rank();
        int last = request.size() - 1;
        IntFunction<Range> partOf = r -> r == rank ? own : Range.scratch(r, 1);
        Range partial = Range.scratch(rank, 1);
        Range whole = Range.output(0, 1);
        for (int r = 1; r <= last; r++) {
            Range left = r == 1 ? partOf.apply(0) : partial;
            plan.nextRound().reduce(left, partOf.apply(r), r == last ? whole : partial);
        }
        return plan.nextRound().scale(whole);
    }
}
