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
     * In a whole call.
     *
     * @param shareBytes of the whole vector
     */
    double bytes(double shareBytes, Slicing slicing) {
        return shareBytes * (shares + scratchShares * windowPart(shareBytes, slicing));
    }

    /** In the slices that are under way at once. */
    double windowBytes(double shareBytes, Slicing slicing) {
        return shareBytes * (shares + scratchShares) * windowPart(shareBytes, slicing);
    }

    private static double windowPart(double shareBytes, Slicing slicing) {
        long slices = slicing.slices(shareBytes);
        return (double) Math.min(slices, slicing.inFlight()) / slices;
    }
}
