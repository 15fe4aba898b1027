package io.nexar.collective.plan.cost;

import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;

import org.jspecify.annotations.Nullable;

/**
 * What work costs the rank that does it.
 *
 * @param callNanos a call, before and after its steps
 * @param copyByteNanos copying a byte
 * @param reduceByteNanos combining a byte of each operand
 */
public record WorkCost(double callNanos, double copyByteNanos, double reduceByteNanos) {
    public WorkCost {
        LinkCost.require("call", callNanos);
        LinkCost.require("copy", copyByteNanos);
        LinkCost.require("reduce", reduceByteNanos);
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
