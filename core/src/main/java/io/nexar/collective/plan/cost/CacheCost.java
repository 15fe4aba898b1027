package io.nexar.collective.plan.cost;

/**
 * What the caches of a host hold, and what bytes cost that they don't: each core has one near it,
 * and all cores share another. Who goes through twice as much as there is room for finds nothing
 * that it left there before, and of what lies between a part: caches give up gradually.
 *
 * @param coreBytes what a core has near it; 0: enough for everything
 * @param refillByteNanos what it costs besides to work on a byte that is not near, but in the
 *     shared cache
 * @param claimByteNanos what it costs besides to write a byte that another core has near it too
 * @param hostBytes what all cores share; 0: enough for everything
 * @param memoryByteNanos what it costs besides to work on a byte that is in no cache
 */
public record CacheCost(
        double coreBytes,
        double refillByteNanos,
        double claimByteNanos,
        double hostBytes,
        double memoryByteNanos) {
    /** There is enough of them. */
    public static final CacheCost AMPLE = new CacheCost(0, 0, 0, 0, 0);

    public CacheCost {
        requireSize("cache", coreBytes);
        LinkCost.require("refill", refillByteNanos);
        LinkCost.require("claim", claimByteNanos);
        requireSize("host cache", hostBytes);
        LinkCost.require("memory", memoryByteNanos);
    }

    private static void requireSize(String what, double bytes) {
        if (!(bytes >= 0) || Double.isInfinite(bytes)) {
            throw new IllegalArgumentException("%s of %s bytes".formatted(what, bytes));
        }
    }

    /** What is not there any more of what somebody came to so many bytes ago, from 0 to 1. */
    public static double missing(double bytesSince, double roomBytes) {
        return roomBytes == 0 ? 0 : Math.clamp(bytesSince / roomBytes - 1, 0, 1);
    }

    /**
     * What it costs besides to work on a byte.
     *
     * @param onCore what the ranks on a core have worked on since
     * @param onHost what all have
     */
    double byteNanos(double onCore, double onHost) {
        double beyond = missing(onHost, hostBytes) * memoryByteNanos;
        return missing(onCore, coreBytes) * (refillByteNanos + beyond);
    }
}
