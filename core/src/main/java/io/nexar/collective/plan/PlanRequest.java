package io.nexar.collective.plan;

import io.nexar.Algorithm;
import io.nexar.Neighborhood;

import org.jspecify.annotations.Nullable;

/**
 * What a plan depends on: nothing else may influence it.
 *
 * @param algorithm never AUTO in a request that is planned
 * @param root 0 for operations without a root
 * @param placement for HIERARCHICAL, else null: other plans are the same wherever the ranks are
 * @param neighborhood for NEIGHBOR_EXCHANGE, else null
 */
public record PlanRequest(
        Operation operation,
        Algorithm algorithm,
        int rank,
        int size,
        int root,
        @Nullable Placement placement,
        @Nullable Neighborhood neighborhood) {
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
        if ((algorithm == Algorithm.HIERARCHICAL) != (placement != null)
                || placement != null && placement.size() != size) {
            throw new IllegalArgumentException(
                    "%s of %d ranks with the placement %s".formatted(algorithm, size, placement));
        }
        if ((operation == Operation.NEIGHBOR_EXCHANGE) != (neighborhood != null)) {
            throw new IllegalArgumentException(
                    "%s with the neighbourhood %s".formatted(operation.methodName(), neighborhood));
        }
    }

    /** For every operation but NEIGHBOR_EXCHANGE. */
    public PlanRequest(
            Operation operation,
            Algorithm algorithm,
            int rank,
            int size,
            int root,
            @Nullable Placement placement) {
        this(operation, algorithm, rank, size, root, placement, null);
    }

    /** For NEIGHBOR_EXCHANGE. */
    public static PlanRequest among(Neighborhood neighborhood, int rank, int size) {
        return new PlanRequest(
                Operation.NEIGHBOR_EXCHANGE, Algorithm.DIRECT, rank, size, 0, null, neighborhood);
    }

    /** For every algorithm but HIERARCHICAL. */
    public PlanRequest(Operation operation, Algorithm algorithm, int rank, int size, int root) {
        this(operation, algorithm, rank, size, root, null);
    }

    /** For any algorithm: leaves the placement out where it does not matter. */
    public static PlanRequest of(
            Operation operation, Algorithm algorithm, int rank, int root, Placement placement) {
        return new PlanRequest(
                operation,
                algorithm,
                rank,
                placement.size(),
                root,
                algorithm == Algorithm.HIERARCHICAL ? placement : null);
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
