package io.nexar.collective.plan.cost;

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
}
