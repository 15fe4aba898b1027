package io.nexar.collective.plan;

import io.nexar.Neighborhood;

import java.util.List;
import java.util.Objects;

/**
 * Numbers what neighbours have for each other. The k-th part that rank r has for rank d is share
 * {@code (k P + r) P + d}, so that both ends of an edge know its number without asking. In a graph
 * the k-th place for a rank belongs to that rank's k-th place for this one; in a grid what goes
 * down a dimension arrives from above. Two more shares are nobody's: they lie in the empty places,
 * one in those to send from, one in those to receive into.
 */
final class NeighborShares {
    private final PlanRequest request;
    private final Neighborhood neighborhood;

    NeighborShares(PlanRequest request) {
        this.request = request;
        this.neighborhood = Objects.requireNonNull(request.neighborhood());
    }

    /** As many as have a number, so that two ranks may be neighbours as often as can be. */
    static int count(int size) {
        int pairs = Math.multiplyExact(size, size);
        return (Integer.MAX_VALUE - 2) / pairs * pairs + 2;
    }

    static boolean isNobodys(int share, int size) {
        return share >= count(size) - 2;
    }

    static int sender(int share, int size) {
        return share / size % size;
    }

    static int receiver(int share, int size) {
        return share % size;
    }

    /** The share of each place that this rank sends from. */
    int[] sent() {
        List<Integer> destinations = neighborhood.destinations(request.rank());
        int[] shares = new int[destinations.size()];
        for (int place = 0; place < shares.length; place++) {
            int to = destinations.get(place);
            shares[place] = share(request.rank(), to, earlier(destinations, place, to));
        }
        return shares;
    }

    /** The share of each place that this rank receives into. */
    int[] received() {
        List<Integer> sources = neighborhood.sources(request.rank());
        int[] shares = new int[sources.size()];
        for (int place = 0; place < shares.length; place++) {
            int from = sources.get(place);
            shares[place] =
                    from == Neighborhood.NO_NEIGHBOR
                            ? share(from, request.rank(), 0)
                            : share(from, request.rank(), arrival(sources, place, from));
        }
        return shares;
    }

    /** Which one of the parts from that rank arrives in this place. */
    private int arrival(List<Integer> sources, int place, int from) {
        return switch (neighborhood) {
            case Neighborhood.Graph _ -> earlier(sources, place, from);
            case Neighborhood.Cartesian grid ->
                    // What that rank sends the other way in the same dimension.
                    earlier(grid.destinations(from), place ^ 1, request.rank());
        };
    }

    private static int earlier(List<Integer> ranks, int place, int rank) {
        int count = 0;
        for (int i = 0; i < place; i++) {
            count += ranks.get(i) == rank ? 1 : 0;
        }
        return count;
    }

    private int share(int from, int to, int number) {
        int size = request.size();
        if (to == Neighborhood.NO_NEIGHBOR) {
            return count(size) - 2;
        }
        if (from == Neighborhood.NO_NEIGHBOR) {
            return count(size) - 1;
        }
        if (Math.max(from, to) >= size || Math.min(from, to) < 0) {
            throw new IllegalArgumentException(
                    "rank %d has the neighbour %d; ranks here go from 0 to %d"
                            .formatted(
                                    request.rank(), from == request.rank() ? to : from, size - 1));
        }
        long share = ((long) number * size + from) * size + to;
        if (share >= count(size) - 2) {
            throw new IllegalArgumentException(
                    "rank %d is a neighbour of rank %d more than %d times"
                            .formatted(from, to, number));
        }
        return (int) share;
    }
}
