package io.nexar.collective;

import io.nexar.Algorithm;
import io.nexar.collective.plan.Operation;

/**
 * Chooses how a collective moves its data. All ranks must choose alike, so a policy may look at
 * nothing but what it is given and settings that all ranks share.
 */
@FunctionalInterface
public interface AlgorithmPolicy {
    /**
     * What a choice may depend on.
     *
     * @param items of the whole vector
     * @param bytes of the whole vector
     * @param size number of ranks
     * @param needsRankOrder the operation does not commute
     */
    record Question(
            Operation operation, long items, long bytes, int size, boolean needsRankOrder) {}

    /** Never AUTO. */
    Algorithm choose(Question question);
}
