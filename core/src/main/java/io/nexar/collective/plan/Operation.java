package io.nexar.collective.plan;

import static io.nexar.collective.plan.Holding.EVERYTHING;
import static io.nexar.collective.plan.Holding.EVERYTHING_AT_ROOT;
import static io.nexar.collective.plan.Holding.NOTHING;
import static io.nexar.collective.plan.Holding.OWN_SHARE;

/**
 * The collectives, and what each rank's input and output hold. The ordinals are part of a call's
 * fingerprint: append, never reorder.
 */
public enum Operation {
    BARRIER("barrier", NOTHING, NOTHING, false, false),
    BROADCAST("broadcast", EVERYTHING_AT_ROOT, EVERYTHING, false, true),
    ALL_REDUCE("allReduce", EVERYTHING, EVERYTHING, true, false),
    REDUCE_SCATTER("reduceScatter", EVERYTHING, OWN_SHARE, true, false),
    ALL_GATHER("allGather", OWN_SHARE, EVERYTHING, false, false);

    private final String methodName;
    private final Holding input;
    private final Holding output;
    private final boolean reducing;
    private final boolean rooted;

    Operation(String methodName, Holding input, Holding output, boolean reducing, boolean rooted) {
        this.methodName = methodName;
        this.input = input;
        this.output = output;
        this.reducing = reducing;
        this.rooted = rooted;
    }

    /** The name that callers know it by. */
    public String methodName() {
        return methodName;
    }

    /** What a rank's INPUT holds; it is never written unless it is the output's memory too. */
    public Holding input() {
        return input;
    }

    /** What a rank's OUTPUT holds in the end. In place, equal shares of both are one memory. */
    public Holding output() {
        return output;
    }

    public boolean isReducing() {
        return reducing;
    }

    public boolean isRooted() {
        return rooted;
    }

    /** Whether the vector must have exactly one share a rank. */
    public boolean isShared() {
        return input == OWN_SHARE || output == OWN_SHARE;
    }
}
