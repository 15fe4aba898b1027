package io.nexar.collective.plan;

/**
 * The end of a direct exchange: all ranks' parts are here, and are combined from rank 0 up, (((0 +
 * 1) + 2) + 3)... SCRATCH has a slot for each rank's part, also for the own one: OUTPUT may be
 * INPUT's memory.
 *
 * <p>One step combines them all, so that partial results need not have the element's own type:
 * those of halves stay F32 until the last.
 */
final class RankOrder {
    private RankOrder() {}

    /** Adds what puts the result into OUTPUT's first slot; {@code own} is in INPUT. */
    static PlanBuilder reduce(PlanBuilder plan, PlanRequest request, Range own) {
        Range whole = Range.output(0, 1);
        return plan.copy(own, Range.scratch(request.rank(), 1))
                .nextRound()
                .combine(Range.scratch(0, request.size()), whole)
                .nextRound()
                .scale(whole);
    }
}
