package io.nexar.collective.plan.cost;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;
import io.nexar.collective.plan.StepKind;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.BitSet;

/**
 * How many shares of its rank's memory each step of a plan reads and writes. A SEND that shows its
 * receiver where they lie costs the receiver.
 *
 * @param fresh of INPUT and OUTPUT what no earlier step has come to: a call goes through all of
 *     both until it comes back
 * @param again all else; the engine's own memory is used again for each window of slices, and what
 *     this slice has touched before is as near
 */
public record Touches(int[] fresh, int[] again) {
    public static Touches of(Plan plan) {
        BitSet[] known = {new BitSet(), new BitSet(), new BitSet()};
        known[BufferRole.SCRATCH.ordinal()].set(0, plan.slots(BufferRole.SCRATCH));
        int[] fresh = new int[plan.stepCount()];
        int[] all = new int[plan.stepCount()];
        for (int i = 0; i < fresh.length; i++) {
            Plan.Step step = plan.step(i);
            if (step.kind() != StepKind.SCALE) { // nothing but for AVG
                for (Range range : Arrays.asList(step.source(), step.second(), step.target())) {
                    fresh[i] += fresh(range, known);
                    all[i] += WorkCost.slots(range);
                }
            }
        }
        int[] again = new int[fresh.length];
        Arrays.setAll(again, i -> all[i] - fresh[i]);
        return new Touches(fresh, again);
    }

    private static int fresh(@Nullable Range range, BitSet[] known) {
        if (range == null) {
            return 0;
        }
        BitSet slots = known[range.buffer().ordinal()];
        int end = range.firstSlot() + range.slots();
        int before = slots.get(range.firstSlot(), end).cardinality();
        slots.set(range.firstSlot(), end);
        return range.slots() - before;
    }
}
