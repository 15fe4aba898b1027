package io.nexar.collective.plan;

import io.nexar.Algorithm;

import org.jspecify.annotations.Nullable;

/**
 * Appends the stages of a hierarchical form: the same operation in each block, between the leaders
 * of each host, or between those of each column. A stage whose groups all have one member falls
 * away. It remembers where this rank has what the next stage takes.
 */
final class HostStages {
    private final Composition whole;
    private final HostGrid grid;
    private Composition.Place held;

    /** Begins with what the ranks bring. */
    HostStages(Composition whole, HostGrid grid) {
        this.whole = whole;
        this.grid = grid;
        this.held = whole.place(BufferRole.INPUT);
    }

    /**
     * In each block, with its leader as the root.
     *
     * @param shares the shares of the whole in each share of the stage
     * @param to where this rank gets what the stage gives it
     */
    HostStages inBlock(
            Operation operation, Algorithm algorithm, int[][] shares, Composition.Place to) {
        if (grid.blockMax() == 1) {
            return this;
        }
        int[] block = grid.block();
        Composition.Part part =
                block.length == 1
                        ? null
                        : new Composition.Part(
                                HostGrid.part(operation, algorithm, grid.place(), block.length, 0),
                                block,
                                shares,
                                held,
                                to);
        return add(HostGrid.rounds(operation, algorithm, grid.blockMax()), part, false);
    }

    /** Between the leaders of each host; parameters as in {@link #inBlock}. */
    HostStages inRow(
            Operation operation, Algorithm algorithm, int[][] shares, Composition.Place to) {
        Group group = new Group(grid.row(), grid.column(), shares, grid.hosts() == 1);
        return betweenLeaders(operation, algorithm, group, to);
    }

    /** Between the leaders of each column, one a host; parameters as in {@link #inBlock}. */
    HostStages inColumn(
            Operation operation, Algorithm algorithm, int[][] shares, Composition.Place to) {
        Group group = new Group(grid.columnLeaders(), grid.host(), shares, true);
        return betweenLeaders(operation, algorithm, group, to);
    }

    /**
     * This rank's group of leaders.
     *
     * @param place this rank's number there
     * @param isLast whether sums are complete after it
     */
    private record Group(int[] ranks, int place, int[][] shares, boolean isLast) {}

    private HostStages betweenLeaders(
            Operation operation, Algorithm algorithm, Group group, Composition.Place to) {
        int size = group.ranks.length;
        if (size == 1) {
            return this;
        }
        Composition.Part part =
                grid.isLeader()
                        ? new Composition.Part(
                                HostGrid.part(operation, algorithm, group.place, size, 0),
                                group.ranks,
                                group.shares,
                                held,
                                to)
                        : null;
        return add(HostGrid.rounds(operation, algorithm, size), part, group.isLast);
    }

    private HostStages add(int rounds, Composition.@Nullable Part part, boolean isScaling) {
        whole.stage(rounds, part, isScaling);
        if (part != null) {
            held = part.output();
        }
        return this;
    }
}
