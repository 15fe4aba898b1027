package io.nexar.cli.simulate;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;

import java.util.Arrays;
import java.util.List;

/**
 * Times collectives that all ranks leave together, called one after another, on ranks of this
 * process. Kinds are timed in turn, in short batches. Whatever else the machine does makes a batch
 * longer and never shorter, so what counts is a fast batch: the one that nine of ten are slower
 * than.
 */
public final class Stopwatch implements AutoCloseable {
    /** One of so many batches is faster than the one that counts. */
    private static final int SLOWER_OF = 10;

    /** Long against the clock's resolution, shorter than the time slice of a laden machine. */
    private static final long BATCH_NANOS = 1_000_000;

    private static final int CALLS_MAX = 20_000;

    private final LocalCluster cluster;
    private final Effort effort;

    /**
     * How long to look.
     *
     * @param batches of each kind
     * @param warmNanos at least, before the first batch counts
     * @param warmCalls wanted before, also where they take up to ten times as long
     */
    public record Effort(int batches, long warmNanos, long warmCalls) {
        /** Enough for the compiler to have seen the hot paths, and for some undisturbed batches. */
        public static final Effort USUAL = new Effort(100, 300_000_000, 10_000);

        /** A part of the usual one, which is for a second; at least something. */
        public static Effort ofMillis(long millis) {
            double part = Math.min(1, millis / 1e3);
            return new Effort(
                    (int) Math.ceil(part * USUAL.batches),
                    (long) (part * USUAL.warmNanos),
                    (long) (part * USUAL.warmCalls));
        }
    }

    /**
     * What is timed.
     *
     * @param bytes of the whole vector; in an allToAll of all ranks together
     */
    public record Kind(Operation operation, Algorithm algorithm, long bytes) {}

    public Stopwatch(int ranks, NexarConfig config, Effort effort) {
        this.effort = effort;
        this.cluster = LocalCluster.start(ranks, config);
    }

    /** Nanoseconds of one call of each kind, in their order. */
    public double[] time(List<Kind> kinds) {
        List<double[]> ofRanks = cluster.call(world -> time(world, kinds, effort));
        return ofRanks.getFirst();
    }

    @Override
    public void close() {
        cluster.close();
    }

    /** The same on one rank of any job; all its ranks call it. */
    public static double[] time(Communicator world, List<Kind> kinds, Effort effort) {
        List<Runnable> calls = kinds.stream().map(kind -> call(world, kind)).toList();
        int[] counts = calls.stream().mapToInt(call -> warm(world, call, effort)).toArray();
        long[][] batches = new long[kinds.size()][effort.batches];
        for (int batch = 0; batch < effort.batches; batch++) {
            for (int i = 0; i < counts.length; i++) {
                batches[i][batch] = batch(world, calls.get(i), counts[i]);
            }
        }
        double[] nanos = new double[counts.length];
        for (int i = 0; i < counts.length; i++) {
            // A rank that was held up before it began finds the others' messages waiting.
            world.allReduce(DataBuffer.of(batches[i]), ReduceOp.MAX);
            Arrays.sort(batches[i]);
            nanos[i] = (double) batches[i][effort.batches / SLOWER_OF] / counts[i];
        }
        return nanos;
    }

    /** Warms up, and agrees on how many calls make a batch. */
    private static int warm(Communicator world, Runnable call, Effort effort) {
        long count = 1;
        long calls = 0;
        long spent = 0;
        while (spent < effort.warmNanos
                || calls < effort.warmCalls && spent < 10 * effort.warmNanos) {
            long nanos = Math.max(1, batch(world, call, count));
            calls += count;
            long wanted = Math.clamp(count * BATCH_NANOS / nanos, 1, 4 * count);
            long[] all = {Math.min(CALLS_MAX, wanted), spent + nanos};
            world.allReduce(DataBuffer.of(all), ReduceOp.MIN);
            count = all[0];
            spent = all[1];
        }
        return (int) count;
    }

    private static long batch(Communicator world, Runnable call, long count) {
        world.barrier();
        long begin = System.nanoTime();
        for (long i = 0; i < count; i++) {
            call.run();
        }
        return System.nanoTime() - begin;
    }

    private static Runnable call(Communicator world, Kind kind) {
        Communicator view = world.withAlgorithm(kind.algorithm);
        int size = world.size();
        long count = kind.bytes / DataType.F32.bytes();
        return switch (kind.operation) {
            case BARRIER -> view::barrier;
            case ALL_REDUCE -> {
                DataBuffer buffer = DataBuffer.allocate(DataType.F32, count);
                yield () -> view.allReduce(buffer, ReduceOp.MAX);
            }
            case ALL_GATHER -> {
                DataBuffer share = DataBuffer.allocate(DataType.F32, count / size);
                DataBuffer all = DataBuffer.allocate(DataType.F32, count / size * size);
                yield () -> view.allGather(share, all);
            }
            case REDUCE_SCATTER -> {
                DataBuffer all = DataBuffer.allocate(DataType.F32, count / size * size);
                DataBuffer share = DataBuffer.allocate(DataType.F32, count / size);
                yield () -> view.reduceScatter(all, share, ReduceOp.MAX);
            }
            case ALL_TO_ALL -> {
                long ofRank = count / size / size * size;
                DataBuffer out = DataBuffer.allocate(DataType.F32, ofRank);
                DataBuffer in = DataBuffer.allocate(DataType.F32, ofRank);
                yield () -> view.allToAll(out, in);
            }
            case BROADCAST, REDUCE, GATHER, SCATTER, SCAN, EXCLUSIVE_SCAN, NEIGHBOR_EXCHANGE ->
                    throw new IllegalArgumentException(
                            kind.operation + " lets some ranks run ahead of others");
        };
    }
}
