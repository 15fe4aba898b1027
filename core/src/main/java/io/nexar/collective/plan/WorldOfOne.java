package io.nexar.collective.plan;

/**
 * Every operation in a world of one rank, whatever the algorithm: the output is the input, finished
 * (AVG divides by 1).
 *
 * <p>Cost: rounds 0, bytes per rank 0.
 */
final class WorldOfOne {
    private WorldOfOne() {}

    static Plan plan(PlanRequest request) {
        PlanBuilder plan = new PlanBuilder(request, 1);
        if (request.operation().output().slotShares(request, 1).length > 0) {
            plan.copy(Range.input(0, 1), Range.output(0, 1));
        }
        if (request.operation().isScaled()) {
            plan.nextRound().scale(Range.output(0, 1));
        }
        return plan.build();
    }
}
