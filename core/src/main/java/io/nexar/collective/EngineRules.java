package io.nexar.collective;

import io.nexar.collective.plan.Placement;

/**
 * How the engines of a rank cut and pace: one way where all ranks of the communicator share a host,
 * and another where they do not. Every rank knows where all others are, so all come to the same.
 */
public record EngineRules(EngineSettings inHost, EngineSettings betweenHosts) {
    /** The same wherever ranks are. */
    public static EngineRules everywhere(EngineSettings settings) {
        return new EngineRules(settings, settings);
    }

    public EngineSettings of(Placement placement) {
        return placement.hosts() == 1 ? inHost : betweenHosts;
    }
}
