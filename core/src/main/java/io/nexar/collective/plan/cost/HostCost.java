package io.nexar.collective.plan.cost;

/**
 * What the ranks of a host share.
 *
 * @param cores 0 if each rank has its own
 * @param switchNanos until a core that one rank leaves works for another
 * @param cacheBytes what a core has near it; 0: enough for everything
 * @param memoryByteNanos what it costs besides to work on a byte that is not there
 */
public record HostCost(int cores, double switchNanos, double cacheBytes, double memoryByteNanos) {
    /** Each rank has a core and enough cache. */
    public static final HostCost AMPLE = new HostCost(0, 0, 0, 0);

    public HostCost {
        if (cores < 0) {
            throw new IllegalArgumentException(cores + " cores");
        }
        LinkCost.require("switch", switchNanos);
        LinkCost.require("memory", memoryByteNanos);
        if (!(cacheBytes >= 0) || Double.isInfinite(cacheBytes)) {
            throw new IllegalArgumentException("cache of %s bytes".formatted(cacheBytes));
        }
    }

    /**
     * What it costs besides to work on a byte, where the ranks on a core work on so many. Who goes
     * through twice as much as there is room for finds nothing that it left there before.
     */
    double memoryNanos(double bytesOnCore) {
        return cacheBytes == 0
                ? 0
                : memoryByteNanos * Math.clamp(bytesOnCore / cacheBytes - 1, 0, 1);
    }

    /** How many ranks of so many on a host work by turns on a core. */
    double ranksOnCore(double ranks) {
        return cores == 0 ? 1 : Math.max(1, ranks / cores);
    }
}
