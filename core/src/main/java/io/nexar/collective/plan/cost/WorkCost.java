package io.nexar.collective.plan.cost;

import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;
import io.nexar.collective.plan.StepKind;

import org.jspecify.annotations.Nullable;

/**
 * What work costs the rank that does it.
 *
 * @param callNanos a call, before and after its steps
 * @param stepNanos copying on a rank's own memory, or combining, however few bytes
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

    /**
     * How many shares a COMBINE counts for. It goes through its operands one after the other, as so
     * many reductions.
     */
    public static double sharesCombined(Plan.Step step) {
        return Math.max(1, slots(step.source()) - slots(step.target()));
    }

    /** Whether a step costs something on however few bytes. SCALE does nothing but for AVG. */
    public static boolean isWork(StepKind kind) {
        return switch (kind) {
            case COPY, REDUCE, COMBINE, RECEIVE_REDUCE -> true;
            case SEND, RECEIVE, SCALE -> false;
        };
    }

    static int slots(@Nullable Range range) {
        return range == null ? 0 : range.slots();
    }
}
