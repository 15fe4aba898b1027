package io.nexar.collective.plan.check;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;

import java.util.BitSet;

/**
 * What plans that were found right cost.
 *
 * @param rounds all rounds, also those in which nobody sends
 * @param messageRounds rounds in which somebody sends
 * @param messages of all ranks together
 * @param shares how many shares the vector is cut into; a share is N/shares bytes
 * @param sharesSentMax shares sent by the rank that sends most
 * @param scratchSlotsMax shares held in SCRATCH by the rank that holds most
 * @param oneOrder whether every element is combined in the same order, brackets included, so that
 *     bits don't depend on where in the vector an element lies; true where nothing is combined
 */
public record PlanSummary(
        int rounds,
        int messageRounds,
        long messages,
        int shares,
        long sharesSentMax,
        int scratchSlotsMax,
        boolean oneOrder) {
    static PlanSummary of(World world, boolean oneOrder) {
        BitSet busyRounds = new BitSet();
        long messages = 0;
        long sharesSentMax = 0;
        int scratchSlotsMax = 0;
        for (Plan plan : world.plans()) {
            long sharesSent = 0;
            for (int i = 0; i < plan.stepCount(); i++) {
                Plan.Step step = plan.step(i);
                if (!step.isLocal() && !step.isReceive()) {
                    busyRounds.set(step.round());
                    messages++;
                    sharesSent += World.range(step.source()).slots();
                }
            }
            sharesSentMax = Math.max(sharesSentMax, sharesSent);
            scratchSlotsMax = Math.max(scratchSlotsMax, plan.slots(BufferRole.SCRATCH));
        }
        Plan first = world.plan(0);
        return new PlanSummary(
                first.rounds(),
                busyRounds.cardinality(),
                messages,
                first.shares(),
                sharesSentMax,
                scratchSlotsMax,
                oneOrder);
    }
}
