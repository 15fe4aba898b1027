package io.nexar.collective.plan.cost;

import io.nexar.collective.plan.Placement;

/**
 * How far apart the ranks of a placement are.
 *
 * @param inHost between ranks of one host
 * @param hostsPerRack how many neighbouring hosts are close to each other
 */
public record Topology(Placement placement, LinkClass inHost, int hostsPerRack) {
    public Topology {
        if (hostsPerRack < 1) {
            throw new IllegalArgumentException("%d hosts a rack".formatted(hostsPerRack));
        }
    }

    /** All hosts close to each other: what a job knows of its own. */
    public static Topology of(Placement placement, LinkClass inHost) {
        return new Topology(placement, inHost, Integer.MAX_VALUE);
    }

    public LinkClass between(int a, int b) {
        int hostA = placement.hostOf(a);
        int hostB = placement.hostOf(b);
        if (hostA == hostB) {
            return inHost;
        }
        return hostA / hostsPerRack == hostB / hostsPerRack ? LinkClass.RACK : LinkClass.FAR;
    }
}
