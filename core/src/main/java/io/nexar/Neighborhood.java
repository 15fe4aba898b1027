package io.nexar;

import java.util.List;

/**
 * Who is next to whom, for {@link Communicator#neighborExchange}. Two forms: a {@link Cartesian}
 * grid that all ranks describe alike, and a {@link Graph} of which each rank describes its own
 * edges.
 *
 * <p>Neighbours have an order, and a place in it may be empty ({@link #NO_NEIGHBOR}), as beyond the
 * edge of a grid. If two ranks are neighbours several times, then in a graph the k-th message from
 * one to the other belongs to the k-th place; in a grid what goes down a dimension arrives from
 * above, and the other way round.
 */
public sealed interface Neighborhood {

    /** An empty place: nothing is sent there, nothing comes from there. */
    int NO_NEIGHBOR = -1;

    /** The ranks that {@code rank} sends to, in the order of its send parts. */
    List<Integer> destinations(int rank);

    /** The ranks that {@code rank} receives from, in the order of its receive parts. */
    List<Integer> sources(int rank);

    /** A grid without wrap-around: see {@link Cartesian}. */
    static Cartesian grid(int... dimensions) {
        return Cartesian.of(false, dimensions);
    }

    /** A grid that wraps around in every dimension: see {@link Cartesian}. */
    static Cartesian torus(int... dimensions) {
        return Cartesian.of(true, dimensions);
    }

    /** This rank's edges: see {@link Graph}. */
    static Graph graph(List<Integer> sources, List<Integer> destinations) {
        return new Graph(sources, destinations);
    }

    /**
     * A grid of ranks, the last coordinate running fastest: in a 2 x 3 grid rank 4 has the
     * coordinates (1, 1). Each rank has two neighbours a dimension: the one below (coordinate - 1)
     * at place 2d, the one above at place 2d + 1.
     *
     * @param dimensions the grid's size in each dimension, each 1 or more; their product must be
     *     the communicator's size
     * @param periodic whether each dimension wraps around
     */
    record Cartesian(List<Integer> dimensions, List<Boolean> periodic) implements Neighborhood {

        public Cartesian {
            dimensions = List.copyOf(dimensions);
            periodic = List.copyOf(periodic);
            if (dimensions.isEmpty() || dimensions.size() != periodic.size()) {
                throw new IllegalArgumentException(
                        "dimensions "
                                + dimensions
                                + ", periodic "
                                + periodic
                                + ": must be of one length, 1 or more");
            }
            long size = 1;
            for (int dimension : dimensions) {
                size = dimension < 1 ? 0 : size * dimension;
                if (size < 1 || size > Integer.MAX_VALUE) {
                    throw new IllegalArgumentException(
                            "dimensions "
                                    + dimensions
                                    + ": each must be 1 or more, and their product an int");
                }
            }
        }

        private static Cartesian of(boolean wraps, int... dimensions) {
            return new Cartesian(
                    java.util.Arrays.stream(dimensions).boxed().toList(),
                    java.util.Collections.nCopies(dimensions.length, wraps));
        }

        /** The product of the dimensions. */
        public int size() {
            return dimensions.stream().reduce(1, (a, b) -> a * b);
        }

        /**
         * Where a rank lies in the grid.
         *
         * @throws IllegalArgumentException if the grid has no such rank
         */
        public int[] coordinates(int rank) {
            if (rank < 0 || rank >= size()) {
                throw new IllegalArgumentException(
                        "rank " + rank + ": not in 0 to " + (size() - 1));
            }
            int[] coordinates = new int[dimensions.size()];
            int rest = rank;
            for (int d = coordinates.length - 1; d >= 0; d--) {
                coordinates[d] = rest % dimensions.get(d);
                rest /= dimensions.get(d);
            }
            return coordinates;
        }

        /**
         * Which rank lies there: coordinates outside of the grid wrap around in a periodic
         * dimension, and are {@link #NO_NEIGHBOR} in another.
         */
        public int rankAt(int... coordinates) {
            if (coordinates.length != dimensions.size()) {
                throw new IllegalArgumentException(
                        coordinates.length
                                + " coordinates: the grid has "
                                + dimensions.size()
                                + " dimensions");
            }
            int rank = 0;
            for (int d = 0; d < coordinates.length; d++) {
                int extent = dimensions.get(d);
                boolean outside = coordinates[d] < 0 || coordinates[d] >= extent;
                if (outside && !periodic.get(d)) {
                    return NO_NEIGHBOR;
                }
                rank = rank * extent + Math.floorMod(coordinates[d], extent);
            }
            return rank;
        }

        @Override
        public List<Integer> destinations(int rank) {
            int[] place = coordinates(rank);
            Integer[] neighbors = new Integer[2 * place.length];
            for (int d = 0; d < place.length; d++) {
                int here = place[d];
                place[d] = here - 1;
                neighbors[2 * d] = rankAt(place);
                place[d] = here + 1;
                neighbors[2 * d + 1] = rankAt(place);
                place[d] = here;
            }
            return List.of(neighbors);
        }

        @Override
        public List<Integer> sources(int rank) {
            return destinations(rank);
        }
    }

    /**
     * One rank's edges: the methods answer for that rank, whatever rank they are asked for. An edge
     * must be named on both of its ends, as often on the one as on the other: else both ends get a
     * {@link MismatchException}, at the latest when one of them has waited for a second.
     *
     * @param sources the ranks this one receives from
     * @param destinations the ranks this one sends to
     */
    record Graph(List<Integer> sources, List<Integer> destinations) implements Neighborhood {

        public Graph {
            sources = List.copyOf(sources);
            destinations = List.copyOf(destinations);
        }

        @Override
        public List<Integer> destinations(int rank) {
            return destinations;
        }

        @Override
        public List<Integer> sources(int rank) {
            return sources;
        }
    }
}
