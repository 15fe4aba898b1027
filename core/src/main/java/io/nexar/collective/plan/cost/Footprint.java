package io.nexar.collective.plan.cost;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;

/**
 * The memory that a rank goes through in a call: the vectors, which lie apart, and for each slice
 * in flight the engine's own.
 *
 * @param shares of input and output together
 * @param scratchShares of a slice
 */
record Footprint(int shares, int scratchShares) {
    static final Footprint NONE = new Footprint(0, 0);

    static Footprint of(Plan plan) {
        return new Footprint(
                plan.slots(BufferRole.INPUT) + plan.slots(BufferRole.OUTPUT),
                plan.slots(BufferRole.SCRATCH));
    }

    /** As much as either. */
    Footprint max(Footprint other) {
        return new Footprint(
                Math.max(shares, other.shares), Math.max(scratchShares, other.scratchShares));
    }

    /**
     * @param shareBytes of the whole vector
     */
    double bytes(double shareBytes, Slicing slicing) {
        long slices = slicing.slices(shareBytes);
        double inFlight = (double) Math.min(slices, slicing.inFlight()) / slices;
        return shareBytes * (shares + scratchShares * inFlight);
    }
}
