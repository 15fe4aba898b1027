package io.nexar.collective.plan;

import io.nexar.Algorithm;

import java.util.Arrays;

/**
 * How the ranks of a placement share the work of a hierarchical form.
 *
 * <p>Each host's ranks are cut into as many blocks of neighbours as the smallest host has ranks.
 * The first rank of a block leads it. Leaders form a grid: a row for each host, a column for each
 * block number. Where hosts have equally many ranks every rank is a leader, and all of them use the
 * network; where one host has a single rank there is one leader a host.
 */
final class HostGrid {
    private final Placement placement;
    private final int columns;
    private final int host;
    private final int column;
    private final int place;
    private final int[] block;

    HostGrid(PlanRequest request) {
        placement = placement(request);
        columns = placement.fewestOnAHost();
        host = placement.hostOf(request.rank());
        int index = Arrays.binarySearch(placement.ranksOn(host), request.rank());
        int own = 0;
        while (own + 1 < columns && begin(host, own + 1) <= index) {
            own++;
        }
        column = own;
        place = index - begin(host, column);
        block = block(host, column);
    }

    static Placement placement(PlanRequest request) {
        Placement given = request.placement();
        if (given == null) {
            throw new IllegalArgumentException("a hierarchical form without a placement");
        }
        return given;
    }

    int hosts() {
        return placement.hosts();
    }

    int columns() {
        return columns;
    }

    int column() {
        return column;
    }

    int host() {
        return host;
    }

    /** This rank's number in its block. */
    int place() {
        return place;
    }

    /** The ranks of this rank's block. */
    int[] block() {
        return block;
    }

    boolean isLeader() {
        return place == 0;
    }

    /** How many ranks the largest block of all hosts has. */
    int blockMax() {
        int most = 0;
        for (int h = 0; h < hosts(); h++) {
            most = Math.max(most, Math.ceilDiv(placement.ranksOn(h).length, columns));
        }
        return most;
    }

    int[] block(int ofHost, int ofColumn) {
        return Arrays.copyOfRange(
                placement.ranksOn(ofHost), begin(ofHost, ofColumn), begin(ofHost, ofColumn + 1));
    }

    /** The leaders of this rank's host, by column. */
    int[] row() {
        int[] leaders = new int[columns];
        Arrays.setAll(leaders, c -> placement.ranksOn(host)[begin(host, c)]);
        return leaders;
    }

    /** The leaders of this rank's column, by host. */
    int[] columnLeaders() {
        int[] leaders = new int[hosts()];
        Arrays.setAll(leaders, h -> placement.ranksOn(h)[begin(h, column)]);
        return leaders;
    }

    /** All ranks of the blocks of a column, in rising order. */
    int[] ranksOfColumn(int ofColumn) {
        int[] ranks = {};
        for (int h = 0; h < hosts(); h++) {
            int[] more = block(h, ofColumn);
            int length = ranks.length;
            ranks = Arrays.copyOf(ranks, length + more.length);
            System.arraycopy(more, 0, ranks, length, more.length);
        }
        Arrays.sort(ranks);
        return ranks;
    }

    /** {@link #ranksOfColumn} of each column. */
    int[][] ranksOfColumns() {
        int[][] ranks = new int[columns][];
        Arrays.setAll(ranks, this::ranksOfColumn);
        return ranks;
    }

    /** The block of each host in this rank's column. */
    int[][] blocksOfColumn() {
        int[][] ranks = new int[hosts()][];
        Arrays.setAll(ranks, h -> block(h, column));
        return ranks;
    }

    /** Each rank of this rank's block by itself. */
    int[][] ranksOfBlock() {
        return Arrays.stream(block).mapToObj(rank -> new int[] {rank}).toArray(int[][]::new);
    }

    /** A part's plan, from the table. */
    static Plan part(Operation operation, Algorithm algorithm, int rank, int size, int root) {
        return PlanCatalog.entry(operation, algorithm)
                .plan(new PlanRequest(operation, algorithm, rank, size, root));
    }

    /** How many rounds a part has, whatever the rank. */
    static int rounds(Operation operation, Algorithm algorithm, int size) {
        return part(operation, algorithm, 0, size, 0).rounds();
    }

    private int begin(int ofHost, int ofColumn) {
        // Blocks differ by one rank at most, the longer ones first.
        int ranks = placement.ranksOn(ofHost).length;
        return ofColumn * (ranks / columns) + Math.min(ofColumn, ranks % columns);
    }
}
