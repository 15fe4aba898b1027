package io.nexar.examples;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Neighborhood;
import io.nexar.Nexar;
import io.nexar.examples.Arguments.Option;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Lets the heat of a square plate flow, of which the edge is kept at 0: {@code ./nexar run -n 4
 * heat}.
 *
 * <p>Ranks lie in a grid, and each has a {@link HeatBlock} of the plate. In each step a cell moves
 * towards the mean of its four neighbours; what lies beyond a block's border comes by {@code
 * neighborExchange} beforehand. At the end {@code gather} brings the blocks to rank 0, which
 * requires every cell to have the very bits that it comes to alone.
 */
public final class Heat {

    private static final Option SIDE = new Option("--side", "cells, each way", 256, 1, 10_000);
    private static final Option STEPS = new Option("--steps", "how many", 500, 0, 10_000_000);
    private static final List<Option> OPTIONS = List.of(SIDE, STEPS, Option.SEED);

    /** How much heat flows in a step; above 0.25 the scheme is not stable. */
    private static final double FLOW = 0.2;

    /** What is computed: how many cells each way and steps, and the seed of the first heat. */
    record Problem(int side, int steps, long randomSeed) {

        /** A cell's heat at the beginning, from 0 to 100. */
        double first(int row, int column) {
            return Streams.stream(randomSeed, (long) row * side + column).nextDouble(100);
        }
    }

    private Heat() {}

    public static void main(String[] args) {
        Arguments arguments = Arguments.read("heat", OPTIONS, args);
        Problem problem =
                new Problem(
                        arguments.count(SIDE),
                        arguments.count(STEPS),
                        arguments.number(Option.SEED));
        try (Nexar nexar = Nexar.join()) {
            run(nexar.world(), problem).ifPresent(System.out::println);
        }
    }

    /** The result line, on rank 0. */
    static Optional<String> run(Communicator world, Problem problem) {
        Neighborhood.Cartesian grid = grid(world.size(), problem.side());
        HeatBlock block = HeatBlock.of(problem, grid, world.rank());
        for (int step = 0; step < problem.steps(); step++) {
            block.exchangeBorders(world, grid);
            block.step();
        }
        long[] counts =
                IntStream.range(0, world.size())
                        .mapToLong(rank -> HeatBlock.Place.of(problem.side(), grid, rank).cells())
                        .toArray();
        boolean isRoot = world.rank() == 0;
        double[] blocks = new double[isRoot ? problem.side() * problem.side() : 0];
        world.gather(DataBuffer.of(block.inner()), DataBuffer.of(blocks), counts, 0);
        return isRoot ? Optional.of(check(problem, grid, blocks)) : Optional.empty();
    }

    /** As square as the number of ranks allows. */
    static Neighborhood.Cartesian grid(int ranks, int side) {
        int rows = (int) Math.sqrt(ranks);
        while (ranks % rows != 0) {
            rows--;
        }
        if (side < ranks / rows) {
            throw new IllegalArgumentException(
                    "--side %d: must be at least %d, a column for each of a row of %d x %d ranks"
                            .formatted(side, ranks / rows, rows, ranks / rows));
        }
        return Neighborhood.grid(rows, ranks / rows);
    }

    /** A cell after a step; the order of the sum is fixed, and so are the bits. */
    static double flow(double cell, double up, double down, double left, double right) {
        return cell + FLOW * (up + down + left + right - 4 * cell);
    }

    private static String check(Problem problem, Neighborhood.Cartesian grid, double[] blocks) {
        double[] plate = new double[blocks.length];
        int next = 0;
        for (int rank = 0; rank < grid.size(); rank++) {
            HeatBlock.Place place = HeatBlock.Place.of(problem.side(), grid, rank);
            for (int row = place.row(); row < place.row() + place.rows(); row++) {
                int start = row * problem.side() + place.column();
                System.arraycopy(blocks, next, plate, start, place.columns());
                next += place.columns();
            }
        }
        boolean agrees = Arrays.equals(plate, alone(problem));
        String line =
                String.format(
                        Locale.ROOT,
                        "heat: ranks=%d grid=%dx%d side=%d steps=%d mean=%.9f equal=%b",
                        grid.size(),
                        grid.dimensions().get(0),
                        grid.dimensions().get(1),
                        problem.side(),
                        problem.steps(),
                        Arrays.stream(plate).average().orElseThrow(),
                        agrees);
        if (!agrees) {
            throw new IllegalStateException(line + ": one process finds other heat");
        }
        return line;
    }

    /** The whole plate row by row, by one process. */
    static double[] alone(Problem problem) {
        int side = problem.side();
        double[][] plate = new double[side + 2][side + 2];
        for (int row = 0; row < side; row++) {
            for (int column = 0; column < side; column++) {
                plate[row + 1][column + 1] = problem.first(row, column);
            }
        }
        for (int step = 0; step < problem.steps(); step++) {
            double[][] next = new double[side + 2][side + 2];
            for (int r = 1; r <= side; r++) {
                double[] row = plate[r];
                for (int c = 1; c <= side; c++) {
                    next[r][c] =
                            flow(row[c], plate[r - 1][c], plate[r + 1][c], row[c - 1], row[c + 1]);
                }
            }
            plate = next;
        }
        return Arrays.stream(plate, 1, side + 1)
                .flatMapToDouble(row -> Arrays.stream(row, 1, side + 1))
                .toArray();
    }
}
