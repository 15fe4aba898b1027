package io.nexar.collective.plan.cost;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;
import io.nexar.collective.plan.StepKind;

import java.util.Locale;

/** How far apart two ranks are. */
public enum LinkClass {
    /** Ranks of one JVM, linked by method calls. */
    JVM,
    /** Processes of one host. */
    HOST,
    /** Hosts that are close to each other. */
    RACK,
    /** Hosts that are not. */
    FAR;

    /** As the local transport has it. */
    private static final int COPIED_BYTES_MAX = 256;

    /** Its name in a file. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a step is a SEND that only shows its receiver where the sender's input lies. */
    public boolean isLending(Plan.Step step) {
        Range source = step.source();
        return this == JVM
                && step.kind() == StepKind.SEND
                && source != null
                && source.buffer() == BufferRole.INPUT;
    }

    /**
     * Whether a piece of so many bytes stays its sender's memory until its receiver is done with
     * it. Shorter ones are copied.
     */
    public boolean lends(double bytes) {
        return this == JVM && bytes > COPIED_BYTES_MAX;
    }

    /** Whether what is sent passes the wire that a host's ranks share. */
    public boolean leavesHost() {
        return this == RACK || this == FAR;
    }
}
