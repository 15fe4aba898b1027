package io.nexar.collective.plan;

import io.nexar.Algorithm;

/**
 * What a plan depends on: nothing else may influence it.
 *
 * @param algorithm never AUTO in a request that is planned
 * @param root 0 for operations without a root
 */
public record PlanRequest(Operation operation, Algorithm algorithm, int rank, int size, int root) {
    public PlanRequest {
        if (size < 1 || rank < 0 || rank >= size || root < 0 || root >= size) {
            throw new IllegalArgumentException(
                    "no plan for rank %d of %d with root %d".formatted(rank, size, root));
        }
        if (root != 0 && !operation.isRooted()) {
            throw new IllegalArgumentException(
                    "%s has no root, but root %d was asked for"
                            .formatted(operation.methodName(), root));
        }
    }

    /** The rank's right neighbour in the ring. */
    int next() {
        return (rank + 1) % size;
    }

    /** The rank's left neighbour in the ring. */
    int previous() {
        return (rank + size - 1) % size;
    }

    /** Share (and rank) numbers are counted round the ring, as often below 0 as they like. */
    int onRing(int number) {
        return Math.floorMod(number, size);
    }
}
