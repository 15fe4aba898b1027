package io.nexar.collective.plan;

import io.nexar.Algorithm;

/**
 * What a plan depends on: nothing else may influence it.
 *
 * @param algorithm never AUTO
 * @param root 0 for operations without a root
 */
public record PlanRequest(Operation operation, Algorithm algorithm, int rank, int size, int root) {
    public PlanRequest {
        if (size < 1 || rank < 0 || rank >= size || root < 0 || root >= size) {
            throw new IllegalArgumentException(
                    "no plan for rank %d of %d with root %d".formatted(rank, size, root));
        }
    }
}
