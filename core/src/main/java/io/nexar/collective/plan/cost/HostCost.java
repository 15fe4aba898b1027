package io.nexar.collective.plan.cost;

/**
 * What the ranks of a host share.
 *
 * @param cores 0 if each rank has its own
 * @param switchNanos until a core that one rank leaves works for another
 */
public record HostCost(int cores, double switchNanos, CacheCost caches) {
    /** Each rank has a core and enough cache. */
    public static final HostCost AMPLE = new HostCost(0, 0, CacheCost.AMPLE);

    public HostCost {
        if (cores < 0) {
            throw new IllegalArgumentException(cores + " cores");
        }
        LinkCost.require("switch", switchNanos);
    }

    /** How many ranks of so many on a host work by turns on a core. */
    double ranksOnCore(double ranks) {
        return cores == 0 ? 1 : Math.max(1, ranks / cores);
    }
}
