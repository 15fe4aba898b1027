package io.nexar.collective.plan.cost;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;

/** Whether a rank sends what it has received, or made of it: then its messages wait for others. */
final class Forwarding {
    private final BitSet[] received = {new BitSet(), new BitSet(), new BitSet()};

    private Forwarding() {}

    static boolean isIn(Plan plan) {
        Forwarding forwarding = new Forwarding();
        for (int i = 0; i < plan.stepCount(); i++) {
            if (forwarding.forwards(plan.step(i))) {
                return true;
            }
        }
        return false;
    }

    /** A signal says that its sender has come this far: it waits for what came before. */
    private boolean forwards(Plan.Step step) {
        boolean isOfOthers =
                step.isReceive() || isReceived(step.source()) || isReceived(step.second());
        Range target = step.target();
        if (target != null && isOfOthers) {
            received[target.buffer().ordinal()].set(
                    target.firstSlot(), target.firstSlot() + target.slots());
        }
        return step.isSignal() || target == null && isOfOthers;
    }

    private boolean isReceived(@Nullable Range range) {
        if (range == null || range.buffer() == BufferRole.INPUT) {
            return false;
        }
        int next = received[range.buffer().ordinal()].nextSetBit(range.firstSlot());
        return next >= 0 && next < range.firstSlot() + range.slots();
    }
}
