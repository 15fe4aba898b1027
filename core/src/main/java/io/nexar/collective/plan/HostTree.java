package io.nexar.collective.plan;

import io.nexar.Algorithm;

import java.util.stream.IntStream;

/**
 * Appends the stages of a hierarchical form with one leader a host: the root on its own host,
 * elsewhere the first rank. The whole vector, if there is one, moves inside each host and between
 * the leaders.
 */
final class HostTree {
    private final Composition whole;
    private final PlanRequest request;
    private final Placement placement;
    private final int[][] vector;
    private final int host;

    /**
     * @param shares how many shares move; 0 for signals
     */
    HostTree(Composition whole, PlanRequest request, int shares) {
        this.whole = whole;
        this.request = request;
        this.placement = HostGrid.placement(request);
        this.vector = Composition.cut(0, 1, shares);
        this.host = placement.hostOf(request.rank());
    }

    boolean isLeader() {
        return leader(host) == request.rank();
    }

    /** Inside each host, with the leader as the root if the operation has one. */
    void inside(
            Operation operation,
            Algorithm algorithm,
            Composition.Place from,
            Composition.Place to) {
        int most =
                IntStream.range(0, placement.hosts()).map(h -> ranksOn(h).length).max().orElse(1);
        if (most > 1) {
            int[] ranks = ranksOn(host);
            Composition.Part part =
                    ranks.length == 1
                            ? null
                            : new Composition.Part(
                                    part(operation, algorithm, ranks, leader(host)),
                                    ranks,
                                    vector,
                                    from,
                                    to);
            int rounds = HostGrid.rounds(operation, algorithm, most);
            whole.stage(rounds, part, placement.hosts() == 1);
        }
    }

    /** Between the leaders, with the root as the root if the operation has one. */
    void between(
            Operation operation,
            Algorithm algorithm,
            Composition.Place from,
            Composition.Place to) {
        int hosts = placement.hosts();
        if (hosts > 1) {
            int[] leaders = IntStream.range(0, hosts).map(this::leader).toArray();
            Composition.Part part =
                    isLeader()
                            ? new Composition.Part(
                                    part(operation, algorithm, leaders, request.root()),
                                    leaders,
                                    vector,
                                    from,
                                    to)
                            : null;
            whole.stage(HostGrid.rounds(operation, algorithm, hosts), part, true);
        }
    }

    private int[] ranksOn(int ofHost) {
        return placement.ranksOn(ofHost);
    }

    private int leader(int ofHost) {
        return placement.hostOf(request.root()) == ofHost ? request.root() : ranksOn(ofHost)[0];
    }

    private Plan part(Operation operation, Algorithm algorithm, int[] ranks, int root) {
        return HostGrid.part(
                operation,
                algorithm,
                indexOf(request.rank(), ranks),
                ranks.length,
                operation.isRooted() ? indexOf(root, ranks) : 0);
    }

    /** Leaders lie in the order of hosts, which need not be theirs: one may be the root. */
    private static int indexOf(int rank, int[] ranks) {
        return IntStream.range(0, ranks.length)
                .filter(i -> ranks[i] == rank)
                .findFirst()
                .orElseThrow();
    }
}
