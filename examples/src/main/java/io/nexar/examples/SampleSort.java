package io.nexar.examples;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;
import io.nexar.Partition;
import io.nexar.examples.Arguments.Option;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Sorts keys that lie on all ranks, by samples (Frazer and McKellar, 1970): {@code ./nexar run -n 4
 * sort}.
 *
 * <ol>
 *   <li>Each rank sorts its keys and picks samples at equal distances; rank 0 gathers them.
 *   <li>Rank 0 sorts the samples, picks as splitters what cuts them into equal parts, one for each
 *       rank, and broadcasts them.
 *   <li>Each rank cuts its keys at the splitters. A first {@code allToAll} tells everybody how many
 *       keys come from whom, a second one, with counts, moves the keys.
 *   <li>Each rank merges what it got: its keys lie above those of the ranks before it.
 * </ol>
 *
 * <p>Keys move once. A rank gets more than its share only by what the samples missed, or where many
 * keys are the same. {@link SortCheck} holds the result to the sort of one process.
 */
public final class SampleSort {

    /** So that one process can hold them twice, for the check. */
    private static final Option KEYS =
            new Option("--keys", "how many, over all ranks", 1_000_000, 1, 500_000_000);

    private static final Option VALUES =
            new Option(
                    "--values",
                    "how many different ones the keys are drawn from",
                    Long.MAX_VALUE,
                    1,
                    Long.MAX_VALUE);
    private static final List<Option> OPTIONS = List.of(KEYS, VALUES, Option.SEED);

    /** A rank's samples; the largest share then is about a tenth above the average. */
    private static final int SAMPLES_MAX = 256;

    /** What is sorted: key i is the first draw of stream i. */
    record Problem(int keys, long values, long randomSeed) {

        long[] keys(long first, long end) {
            return LongStream.range(first, end)
                    .map(i -> Streams.stream(randomSeed, i).nextLong(values))
                    .toArray();
        }
    }

    private SampleSort() {}

    public static void main(String[] args) {
        Arguments arguments = Arguments.read("sort", OPTIONS, args);
        Problem problem =
                new Problem(
                        arguments.count(KEYS),
                        arguments.number(VALUES),
                        arguments.number(Option.SEED));
        try (Nexar nexar = Nexar.join()) {
            run(nexar.world(), problem).ifPresent(System.out::println);
        }
    }

    /** The result line, on rank 0. */
    static Optional<String> run(Communicator world, Problem problem) {
        Partition shares = new Partition(problem.keys(), world.size());
        long[] keys = problem.keys(shares.offset(world.rank()), shares.offset(world.rank() + 1));
        long[] sorted = sort(world, keys.clone());
        SortCheck check = SortCheck.of(world, keys, sorted);
        if (world.rank() != 0) {
            return Optional.empty();
        }
        long[] alone = problem.keys(0, problem.keys());
        Arrays.sort(alone);
        boolean equal = Arrays.equals(check.all(), alone);
        String line =
                String.format(
                        Locale.ROOT,
                        "sort: ranks=%d keys=%d largest-share=%d sorted=%b permutation=%b equal=%b",
                        world.size(),
                        problem.keys(),
                        check.largestShare(),
                        check.isSorted(),
                        check.isPermutation(),
                        equal);
        if (!check.isSorted() || !check.isPermutation() || !equal) {
            throw new IllegalStateException(line + ": not the sort of the keys");
        }
        return Optional.of(line);
    }

    /** Sorts over all ranks: this one gets keys above those of the ranks before it, in order. */
    static long[] sort(Communicator world, long[] keys) {
        Arrays.sort(keys);
        long[] sendCounts = cut(keys, splitters(world, keys));
        long[] receiveCounts = new long[world.size()];
        world.allToAll(DataBuffer.of(sendCounts), DataBuffer.of(receiveCounts));
        long[] received = new long[Math.toIntExact(LongStream.of(receiveCounts).sum())];
        world.allToAll(DataBuffer.of(keys), sendCounts, DataBuffer.of(received), receiveCounts);
        // What came from each rank is in order already; the sort finds such runs and merges them.
        Arrays.sort(received);
        return received;
    }

    /** The keys between the ranks' parts, one less than there are ranks. */
    private static long[] splitters(Communicator world, long[] keys) {
        long[] own = atEqualDistances(keys, Math.min(SAMPLES_MAX, keys.length));
        long[] count = {own.length};
        long[] counts = new long[world.size()];
        world.gather(DataBuffer.of(count), DataBuffer.of(counts), 0);
        long[] samples = new long[(int) LongStream.of(counts).sum()];
        world.gather(DataBuffer.of(own), DataBuffer.of(samples), counts, 0);
        long[] splitters = new long[world.size() - 1];
        if (world.rank() == 0) {
            Arrays.sort(samples);
            splitters = atEqualDistances(samples, splitters.length);
        }
        world.broadcast(DataBuffer.of(splitters), 0);
        return splitters;
    }

    /** So many of the sorted keys, with as many before the first as between two and at the end. */
    private static long[] atEqualDistances(long[] sorted, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToLong(i -> sorted[(int) ((long) i * sorted.length / (count + 1))])
                .toArray();
    }

    /** How many keys belong to each rank: those up to its splitter, that one included. */
    private static long[] cut(long[] sorted, long[] splitters) {
        long[] counts = new long[splitters.length + 1];
        int rank = 0;
        for (long key : sorted) {
            while (rank < splitters.length && key > splitters[rank]) {
                rank++;
            }
            counts[rank]++;
        }
        return counts;
    }
}
