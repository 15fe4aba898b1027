package io.nexar.cli.simulate;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Times collectives that all ranks leave together, on ranks of this process or of a job. A call is
 * what a program has of it: each rank has just written what it sends, all have met at a barrier,
 * and the time of the slowest counts. Bytes that nobody has written since the last call would be in
 * the readers' caches.
 *
 * <p>Kinds are timed in turn, a few calls each, so that what else the machine does meets all of
 * them. It makes calls longer and never shorter: of each turn that call counts that three of four
 * are slower than, and of all turns the mean of the three quarters that are faster.
 */
public final class Stopwatch implements AutoCloseable {
    /** Of one kind at a time, warm-up and calls together. */
    private static final long TURN_NANOS = 1_000_000;

    /** The first quarter of a turn brings its data into the caches. */
    private static final int CALLS_MIN = 4;

    private static final int CALLS_MAX = 200;

    /** Bytes up to this one make floats that are numbers. */
    private static final int FILLS = 127;

    private final int ranks;
    private final LocalCluster cluster;
    private final Effort effort;

    /**
     * How long to look.
     *
     * @param turns of each kind
     * @param warmNanos how long to warm up at least, as {@link WarmUp} has it
     */
    public record Effort(int turns, long warmNanos) {
        /** Enough for the compiler to have seen the hot paths, and for some undisturbed turns. */
        public static final Effort USUAL = new Effort(60, 2_000_000_000);

        /** One of so many parts; at least something. */
        Effort part(int parts) {
            return new Effort(Math.ceilDiv(turns, parts), Math.ceilDiv(warmNanos, parts));
        }

        /** A part of the usual one, which is for two seconds; at least something. */
        public static Effort ofMillis(long millis) {
            double part = Math.min(1, millis / 2e3);
            return new Effort((int) Math.ceil(part * USUAL.turns), (long) (part * USUAL.warmNanos));
        }
    }

    /**
     * What is timed.
     *
     * @param bytes of the whole vector; in an allToAll of all ranks together
     */
    public record Kind(Operation operation, Algorithm algorithm, long bytes) {}

    /**
     * What calls took.
     *
     * @param form in which ranks sat that share cores; null: as the system had them
     * @param nanos by kind
     */
    public record Times(Seating.@Nullable Form form, double[] nanos) {
        /** Of ranks that nobody has seated. */
        public static List<Times> unseated(double[] nanos) {
            return List.of(new Times(null, nanos));
        }
    }

    /** A kind bound to memory. */
    private record Subject(DataBuffer input, Runnable call) {}

    public Stopwatch(int ranks, NexarConfig config, Effort effort) {
        this.ranks = ranks;
        this.effort = effort;
        this.cluster = LocalCluster.start(ranks, config);
    }

    /**
     * What one call of each kind takes.
     *
     * @param isSeated whether ranks that share cores are bound to them, if the system lets them: in
     *     all forms by turns, so that all forms meet the same machine
     */
    List<Times> time(List<Kind> kinds, boolean isSeated) {
        int cores = Runtime.getRuntime().availableProcessors();
        List<Seating.Form> forms =
                isSeated && ranks > cores && CoreBinding.isPossible(cores)
                        ? List.of(Seating.Form.values())
                        : List.of();
        List<List<Times>> ofRanks =
                cluster.call(world -> {
                    try (Seat seat = new Seat(world, forms, cores)) {
                        return time(world, kinds, effort, seat);
                    }
                });
        return ofRanks.getFirst();
    }

    @Override
    public void close() {
        cluster.close();
    }

    /** Nanoseconds of one call of each kind, on one rank of any job; all its ranks call it. */
    public static double[] time(Communicator world, List<Kind> kinds, Effort effort) {
        try (Seat seat = new Seat(world, List.of(), 1)) {
            return time(world, kinds, effort, seat).getFirst().nanos();
        }
    }

    private static List<Times> time(
            Communicator world, List<Kind> kinds, Effort effort, Seat seat) {
        List<Subject> subjects = kinds.stream().map(kind -> subject(world, kind)).toList();
        int[] counts = warm(world, subjects, effort.warmNanos, seat);
        int forms = seat.forms();
        int turns = Math.ceilDiv(effort.turns, forms);
        double[][][] nanos = new double[forms][counts.length][turns];
        for (int turn = 0; turn < turns * forms; turn++) {
            seat.take(turn);
            for (int i = 0; i < counts.length; i++) {
                long[] calls = calls(world, subjects.get(i), counts[i]);
                world.allReduce(DataBuffer.of(calls), ReduceOp.MAX);
                nanos[turn % forms][i][turn / forms] =
                        lowerQuartile(Arrays.copyOfRange(calls, counts[i] / 4, counts[i]));
            }
        }
        return IntStream.range(0, forms)
                .mapToObj(form -> new Times(seat.form(form), means(nanos[form])))
                .toList();
    }

    private static double[] means(double[][] turnsOfKinds) {
        return Arrays.stream(turnsOfKinds).mapToDouble(Stopwatch::mean).toArray();
    }

    private static double lowerQuartile(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 4];
    }

    /** Of the three quarters of the turns that are faster. */
    private static double mean(double[] turns) {
        Arrays.sort(turns);
        return geometricMean(Arrays.copyOf(turns, Math.ceilDiv(3 * turns.length, 4)));
    }

    static double geometricMean(double[] nanos) {
        return Math.exp(Arrays.stream(nanos).map(Math::log).average().orElseThrow());
    }

    /** Calls all kinds until they are warm; agrees on how many calls make a turn. */
    private static int[] warm(
            Communicator world, List<Subject> subjects, long warmNanos, Seat seat) {
        long[] counts = new long[subjects.size()];
        Arrays.fill(counts, CALLS_MIN);
        new WarmUp(world, warmNanos, 1)
                .run(turns -> {
                    for (int turn = 0; turn < turns; turn++) {
                        seat.take(turn);
                        warmTurn(world, subjects, counts);
                    }
                });
        return Arrays.stream(counts).mapToInt(count -> (int) count).toArray();
    }

    /** So many calls of each kind; notes how many fill a turn. */
    private static void warmTurn(Communicator world, List<Subject> subjects, long[] counts) {
        for (int i = 0; i < counts.length; i++) {
            long start = System.nanoTime();
            calls(world, subjects.get(i), (int) counts[i]);
            long spent = Math.max(1, System.nanoTime() - start);
            long wanted = Math.min(counts[i] * TURN_NANOS / spent, 2 * counts[i]);
            counts[i] = agree(world, Math.clamp(wanted, CALLS_MIN, CALLS_MAX));
        }
    }

    /** The least of all ranks' numbers. */
    private static long agree(Communicator world, long number) {
        long[] all = {number};
        world.allReduce(DataBuffer.of(all), ReduceOp.MIN);
        return all[0];
    }

    /** Nanoseconds of each of so many calls on this rank. */
    private static long[] calls(Communicator world, Subject subject, int count) {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            subject.input.segment().fill((byte) (i % FILLS));
            world.barrier();
            long begin = System.nanoTime();
            subject.call.run();
            nanos[i] = System.nanoTime() - begin;
            world.barrier(); // to write while others still work would take their core and cache
        }
        return nanos;
    }

    private static Subject subject(Communicator world, Kind kind) {
        Communicator view = world.withAlgorithm(kind.algorithm);
        int size = world.size();
        long share = kind.bytes / DataType.F32.bytes() / size;
        return switch (kind.operation) {
            case BARRIER -> new Subject(DataBuffer.allocate(DataType.F32, 0), view::barrier);
            case ALL_REDUCE -> {
                DataBuffer in = DataBuffer.allocate(DataType.F32, size * share);
                DataBuffer out = DataBuffer.allocate(DataType.F32, size * share);
                yield new Subject(in, () -> view.allReduce(in, out, ReduceOp.MAX));
            }
            case ALL_GATHER -> {
                DataBuffer in = DataBuffer.allocate(DataType.F32, share);
                DataBuffer out = DataBuffer.allocate(DataType.F32, size * share);
                yield new Subject(in, () -> view.allGather(in, out));
            }
            case REDUCE_SCATTER -> {
                DataBuffer in = DataBuffer.allocate(DataType.F32, size * share);
                DataBuffer out = DataBuffer.allocate(DataType.F32, share);
                yield new Subject(in, () -> view.reduceScatter(in, out, ReduceOp.MAX));
            }
            case ALL_TO_ALL -> {
                DataBuffer in = DataBuffer.allocate(DataType.F32, share / size * size);
                DataBuffer out = DataBuffer.allocate(DataType.F32, share / size * size);
                yield new Subject(in, () -> view.allToAll(in, out));
            }
            case BROADCAST, REDUCE, GATHER, SCATTER, SCAN, EXCLUSIVE_SCAN, NEIGHBOR_EXCHANGE ->
                    throw new IllegalArgumentException(
                            kind.operation + " lets some ranks run ahead of others");
        };
    }
}
