package io.nexar.examples;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;
import io.nexar.Partition;
import io.nexar.ReduceOp;
import io.nexar.examples.Arguments.Option;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Ranks the vertices of a random graph by the links that lead to them (Brin and Page, 1998): {@code
 * ./nexar run -n 4 pagerank}.
 *
 * <p>Each rank of the job has a range of the vertices, with their links and scores. A round sends
 * 85 % of every score along its links. What a rank has for all vertices is added up and dealt out
 * by {@code reduceScatter}; what all need to know, how much lies at dead ends and how much has
 * changed, takes a small {@code allReduce}. At the end {@code gather} brings the scores to rank 0,
 * which requires each within 1e-12 of what it comes to alone.
 */
public final class PageRank {

    private static final Option VERTICES =
            new Option("--vertices", "of the graph", 20_000, 1, 10_000_000);
    private static final Option LINKS =
            new Option("--links", "that leave a vertex, on average", 8, 0, 1_000);
    private static final List<Option> OPTIONS = List.of(VERTICES, LINKS, Option.SEED);

    /** The share of a score that follows links; the paper's number. */
    private static final double DAMPING = 0.85;

    /** Scores add up to 1, with roundings of some 1e-16; a round takes at least 15 % off. */
    private static final double CHANGE_MAX = 1e-14;

    /** How far sums of another order may lie apart. */
    private static final double DIFFERENCE_MAX = 1e-12;

    private PageRank() {}

    public static void main(String[] args) {
        Arguments arguments = Arguments.read("pagerank", OPTIONS, args);
        LinkGraph graph =
                new LinkGraph(
                        arguments.count(VERTICES),
                        arguments.count(LINKS),
                        arguments.number(Option.SEED));
        try (Nexar nexar = Nexar.join()) {
            rank(nexar.world(), graph).ifPresent(System.out::println);
        }
    }

    /** The result line, on rank 0. */
    static Optional<String> rank(Communicator world, LinkGraph graph) {
        Partition shares = new Partition(graph.vertices(), world.size());
        double[] own = scores(world, graph, shares);
        boolean isRoot = world.rank() == 0;
        double[] all = new double[isRoot ? graph.vertices() : 0];
        long[] counts = IntStream.range(0, world.size()).mapToLong(shares::count).toArray();
        world.gather(DataBuffer.of(own), DataBuffer.of(all), counts, 0);
        return isRoot ? Optional.of(check(world.size(), graph, all)) : Optional.empty();
    }

    /** The scores of this rank's vertices. */
    private static double[] scores(Communicator world, LinkGraph graph, Partition shares) {
        int first = (int) shares.offset(world.rank());
        int[][] links = graph.links(first, (int) shares.offset(world.rank() + 1));
        double[] scores = new double[links.length];
        Arrays.fill(scores, 1.0 / graph.vertices());
        double change = 1;
        while (change > CHANGE_MAX) {
            double[] sent = new double[graph.vertices()];
            double[] atDeadEnds = {send(scores, links, sent)};
            double[] received = new double[scores.length];
            world.reduceScatter(DataBuffer.of(sent), DataBuffer.of(received), ReduceOp.SUM);
            world.allReduce(DataBuffer.of(atDeadEnds), ReduceOp.SUM);
            double[] changes = {update(scores, received, atDeadEnds[0], graph.vertices())};
            world.allReduce(DataBuffer.of(changes), ReduceOp.SUM);
            change = changes[0];
        }
        return scores;
    }

    /** Adds each score to where its links lead, in equal parts; returns what has no link. */
    private static double send(double[] scores, int[][] links, double[] sent) {
        double atDeadEnds = 0;
        for (int v = 0; v < scores.length; v++) {
            for (int target : links[v]) {
                sent[target] += scores[v] / links[v].length;
            }
            atDeadEnds += links[v].length == 0 ? scores[v] : 0;
        }
        return atDeadEnds;
    }

    /** Scores of what came by links, plus what is dealt out to all; returns how far they moved. */
    private static double update(
            double[] scores, double[] received, double atDeadEnds, int vertices) {
        double forEach = (1 - DAMPING + DAMPING * atDeadEnds) / vertices;
        double change = 0;
        for (int v = 0; v < scores.length; v++) {
            double score = forEach + DAMPING * received[v];
            change += Math.abs(score - scores[v]);
            scores[v] = score;
        }
        return change;
    }

    private static String check(int ranks, LinkGraph graph, double[] scores) {
        double[] alone = alone(graph);
        double difference = 0;
        int best = 0;
        for (int v = 0; v < scores.length; v++) {
            difference = Math.max(difference, Math.abs(scores[v] - alone[v]));
            best = scores[v] > scores[best] ? v : best;
        }
        boolean agrees = difference <= DIFFERENCE_MAX;
        String line =
                String.format(
                        Locale.ROOT,
                        "pagerank: ranks=%d vertices=%d best=%d score=%.9f difference=%.1e"
                                + " equal=%b",
                        ranks,
                        scores.length,
                        best,
                        scores[best],
                        difference,
                        agrees);
        if (!agrees) {
            throw new IllegalStateException(line + ": one process finds other scores");
        }
        return line;
    }

    /** All scores, by one process. */
    static double[] alone(LinkGraph graph) {
        int[][] links = graph.links(0, graph.vertices());
        double[] scores = new double[graph.vertices()];
        Arrays.fill(scores, 1.0 / scores.length);
        double change = 1;
        while (change > CHANGE_MAX) {
            double[] received = new double[scores.length];
            double atDeadEnds = send(scores, links, received);
            change = update(scores, received, atDeadEnds, scores.length);
        }
        return scores;
    }
}
