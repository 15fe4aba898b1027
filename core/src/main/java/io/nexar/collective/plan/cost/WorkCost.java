package io.nexar.collective.plan.cost;

import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;

import org.jspecify.annotations.Nullable;

/**
 * What work costs the rank that does it.
 *
 * @param callNanos a call, before and after its steps
 * @param stepNanos each step of a call's plan, to make it ready
 * @param copyByteNanos copying a byte
 * @param reduceByteNanos combining a byte of each operand
 */
public record WorkCost(
        double callNanos, double stepNanos, double copyByteNanos, double reduceByteNanos) {
    public WorkCost {
        LinkCost.require("call", callNanos);
        LinkCost.require("step", stepNanos);
        LinkCost.require("copy", copyByteNanos);
        LinkCost.require("reduce", reduceByteNanos);
    }

    /** What a call of so many steps costs before the first. */
    public double beginNanos(int steps) {
        return callNanos + steps * stepNanos;
    }

    /**
     * How many shares a COMBINE counts for. It goes through its operands one after the other, as so
     * many reductions.
     */
    public static double sharesCombined(Plan.Step step) {
        return Math.max(1, slots(step.source()) - slots(step.target()));
    }

    static int slots(@Nullable Range range) {
        return range == null ? 0 : range.slots();
    }
}
