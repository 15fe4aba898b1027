package io.nexar.examples;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;
import io.nexar.Partition;
import io.nexar.ReduceOp;
import io.nexar.examples.Arguments.Option;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Estimates pi by points thrown into a square, of which the quarter circle gets pi / 4: {@code
 * ./nexar run -n 4 pi}.
 *
 * <p>Points come in blocks, each out of a random stream of its own. Ranks share the blocks, count
 * their hits, and add them up by one {@code reduce}. The points are the same for any number of
 * ranks, and so is their sum, for it is a whole number: rank 0 requires the very count that it
 * comes to alone.
 */
public final class Pi {

    /** Enough for hours on a large machine; the sum is far from a long's end. */
    private static final Option SAMPLES =
            new Option("--samples", "how many points", 10_000_000, 1, 1_000_000_000_000L);

    private static final List<Option> OPTIONS = List.of(SAMPLES, Option.SEED);

    /** Points a stream: to start it costs nothing then, and there are enough blocks to share. */
    private static final long BLOCK_POINTS = 1 << 16;

    private Pi() {}

    public static void main(String[] args) {
        Arguments arguments = Arguments.read("pi", OPTIONS, args);
        long samples = arguments.number(SAMPLES);
        try (Nexar nexar = Nexar.join()) {
            estimate(nexar.world(), samples, arguments.number(Option.SEED))
                    .ifPresent(System.out::println);
        }
    }

    /** The result line, on rank 0. */
    static Optional<String> estimate(Communicator world, long samples, long randomSeed) {
        long blocks = (samples + BLOCK_POINTS - 1) / BLOCK_POINTS;
        Partition shares = new Partition(blocks, world.size());
        long first = shares.offset(world.rank());
        long end = shares.offset(world.rank() + 1);
        long[] hits = {hits(first, end, samples, randomSeed)};
        world.reduce(DataBuffer.of(hits), DataBuffer.of(hits), ReduceOp.SUM, 0);
        if (world.rank() != 0) {
            return Optional.empty();
        }
        boolean agrees = hits[0] == hits(0, blocks, samples, randomSeed);
        double pi = 4.0 * hits[0] / samples;
        String line =
                String.format(
                        Locale.ROOT,
                        "pi: ranks=%d samples=%d pi=%.6f error=%.6f equal=%b",
                        world.size(),
                        samples,
                        pi,
                        Math.abs(pi - Math.PI),
                        agrees);
        if (!agrees) {
            throw new IllegalStateException(line + ": one process counts other hits");
        }
        return Optional.of(line);
    }

    /** How many points of the blocks {@code first} to {@code end - 1} lie within the circle. */
    static long hits(long first, long end, long samples, long randomSeed) {
        long hits = 0;
        for (long block = first; block < end; block++) {
            SplittableRandom random = Streams.stream(randomSeed, block);
            long points = Math.min(BLOCK_POINTS, samples - block * BLOCK_POINTS);
            for (long point = 0; point < points; point++) {
                double x = random.nextDouble();
                double y = random.nextDouble();
                hits += x * x + y * y < 1 ? 1 : 0;
            }
        }
        return hits;
    }
}
