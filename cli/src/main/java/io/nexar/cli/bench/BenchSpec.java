package io.nexar.cli.bench;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What to measure; all ranks have the same. The command line writes it as words, a rank reads them.
 *
 * @param ranks of one JVM if {@code isLocal}, else processes
 * @param sizes in bytes; what they mean, {@link BenchOp} says
 * @param iterations to be timed; 0 as many as suit the size
 * @param warmUpMillis how long each size is run before it is timed
 * @param isOnHeap whether data lies in Java arrays
 */
public record BenchSpec(
        BenchOp op,
        int ranks,
        boolean isLocal,
        List<Long> sizes,
        Algorithm algorithm,
        DataType type,
        StandardReduceOp reduceOp,
        int iterations,
        long warmUpMillis,
        boolean isOnHeap,
        Timing timing) {

    /** A window of messages, at most. */
    private static final long BUFFERS_BYTES = 64 << 20;

    /** Whose time counts. */
    public enum Timing {
        /** Rank 0's, call after call. */
        RANK0,
        /** The slowest rank's of each call, all ranks having left a barrier before it. */
        SLOWEST;

        /** MPI's benchmarks time these two on rank 0, and what is compared must be alike. */
        public static Timing of(BenchOp op) {
            return op == BenchOp.PINGPONG || op == BenchOp.ALLREDUCE ? RANK0 : SLOWEST;
        }
    }

    public BenchSpec {
        sizes = List.copyOf(sizes);
    }

    public List<String> words() {
        return List.of(
                "op=" + op,
                "ranks=" + ranks,
                "local=" + isLocal,
                "sizes=" + sizes.stream().map(String::valueOf).collect(Collectors.joining(",")),
                "algorithm=" + algorithm,
                "type=" + type,
                "reduceOp=" + reduceOp,
                "iterations=" + iterations,
                "warmUpMillis=" + warmUpMillis,
                "heap=" + isOnHeap,
                "timing=" + timing);
    }

    public static BenchSpec parse(String[] words) {
        Words values = Words.parse(Arrays.asList(words));
        return new BenchSpec(
                BenchOp.valueOf(values.get("op")),
                values.integer("ranks"),
                values.flag("local"),
                Arrays.stream(values.get("sizes").split(",")).map(Long::valueOf).toList(),
                Algorithm.valueOf(values.get("algorithm")),
                DataType.valueOf(values.get("type")),
                StandardReduceOp.valueOf(values.get("reduceOp")),
                values.integer("iterations"),
                values.whole("warmUpMillis"),
                values.flag("heap"),
                Timing.valueOf(values.get("timing")));
    }

    /** How many elements a size has. */
    long count(long bytes) {
        return bytes / type.bytes();
    }

    /** What one process needs for its data, twice: those of the size before may not be gone. */
    public long dataMebibytes() {
        long ofRank =
                sizes.stream()
                        .mapToLong(bytes -> 2 * op.elementsMax(bytes, ranks) + BUFFERS_BYTES)
                        .max()
                        .orElse(0);
        return 2 * ofRank * (isLocal ? ranks : 1) >> 20;
    }

    /** As {@code --datatype} has it. */
    public String typeWord() {
        return type.name().toLowerCase(Locale.ROOT);
    }
}
