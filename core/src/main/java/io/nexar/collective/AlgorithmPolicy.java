package io.nexar.collective;

import io.nexar.Algorithm;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;

/**
 * Chooses how a collective moves its data. All ranks must choose alike, so a policy may look at
 * nothing but what it is given and settings that all ranks share.
 */
@FunctionalInterface
public interface AlgorithmPolicy {
    /**
     * Never AUTO.
     *
     * @param bytes about how many the whole vector has
     * @param needsRankOrder the reduction does not commute
     */
    Algorithm choose(Operation operation, long bytes, Placement placement, boolean needsRankOrder);
}
