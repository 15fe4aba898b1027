package io.nexar.cli.bench;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.ReduceOp;
import io.nexar.cli.bench.BenchResult.Times;
import io.nexar.cli.simulate.WarmUp;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Measures on one rank; all ranks run it with the same spec. For each size: warm up until the
 * compiler has done its work, time the calls, and check the results of the last of them and of one
 * call more. Owned by the thread that calls it.
 */
public final class BenchRunner {
    /** A size that takes this long for all iterations gets fewer, unless they were asked for. */
    private static final long TIMED_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    /**
     * Long against what a system does in between: a tick, a slice of time, a collection, and what
     * it takes Linux to place ranks that crowd on few cores.
     */
    private static final long TIMED_NANOS_MIN = TimeUnit.SECONDS.toNanos(2);

    /** Enough for a median. */
    private static final int ITERATIONS_MIN = 20;

    /** More tell nothing new, however short a call is. */
    private static final int ITERATIONS_MAX = 2_000_000;

    /** Of short calls, as the MPI benchmark has it. */
    private static final int ITERATIONS_SHORT = 20_000;

    private static final int FIRST_TIMES = 2;

    /** Few, so that the method which makes them is compiled as a whole, and soon. */
    private static final int BATCH = 32;

    /** How long a late rank stays away from a barrier, to see whether the others wait for it. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A rank that lost its core meanwhile seems to have waited; hardly so often. */
    private static final int LATE_ROUNDS = 5;

    private final Communicator world;
    private final BenchSpec spec;
    private final String transport;
    private final Oracle oracle;

    /**
     * @param transport that carries the calls, for the result
     */
    public BenchRunner(Communicator world, BenchSpec spec, String transport) {
        this.world = world;
        this.spec = spec;
        this.transport = transport;
        this.oracle = new Oracle(spec.type(), spec.reduceOp());
    }

    /** Measures every size; blocks. Rank 0 hears the results, one after the other. */
    public void run(Consumer<BenchResult> results) {
        for (long bytes : spec.sizes()) {
            BenchResult result = measure(bytes);
            if (world.rank() == 0) {
                results.accept(result);
            }
        }
    }

    private BenchResult measure(long bytes) {
        // Memory outside the heap is given back when the collector finds that nobody views it.
        System.gc();
        Buffers buffers = new Buffers(spec, oracle, world.rank());
        Works works = new Works(spec, world, buffers);
        Work work = works.bind(bytes);
        int iterations = warmUp(work, bytes);
        work.spoil();
        world.barrier();
        long[] nanos = new long[iterations];
        for (int begin = 0; begin < iterations; begin += BATCH) {
            time(work, nanos, begin, Math.min(BATCH, iterations - begin));
        }
        boolean isCorrect = isCorrect(work);
        if (spec.timing() == BenchSpec.Timing.SLOWEST) {
            world.allReduce(DataBuffer.of(nanos), ReduceOp.MAX);
        }
        Times times = Times.of(nanos, work.scale());
        return new BenchResult(
                spec, transport, works.algorithm(), bytes, iterations, times, isCorrect);
    }

    /** Makes so many calls; puts their times from that place on. */
    private void time(Work work, long[] nanos, int place, int calls) {
        for (int i = place; i < place + calls; i++) {
            if (spec.timing() == BenchSpec.Timing.SLOWEST) {
                world.barrier();
            }
            long begin = System.nanoTime();
            work.call().run();
            long spent = System.nanoTime() - begin;
            nanos[i] = work.isTimed() ? spent : 0;
        }
    }

    /**
     * At least a fifth of the calls to come, as the MPI benchmark has it, and what the JVM needs.
     *
     * @return how many calls to time
     */
    private int warmUp(Work work, long bytes) {
        long enoughNanos = TimeUnit.MILLISECONDS.toNanos(spec.warmUpMillis());
        if (bytes == spec.sizes().getFirst()) {
            enoughNanos *= FIRST_TIMES; // What all sizes have in common is compiled here.
        }
        int wanted = spec.iterations() > 0 ? spec.iterations() : usualIterations(bytes);
        long nanosOfCall =
                new WarmUp(world, enoughNanos, wanted / 5 + 1L).run(calls -> warm(work, calls));
        long[] agreed = {iterations(wanted, nanosOfCall)};
        world.broadcast(DataBuffer.of(agreed), 0);
        return (int) agreed[0];
    }

    private void warm(Work work, long calls) {
        long[] nanos = new long[BATCH];
        for (long left = calls; left > 0; left -= BATCH) {
            time(work, nanos, 0, (int) Math.min(BATCH, left));
        }
    }

    private int iterations(int wanted, long nanosOfCall) {
        if (spec.iterations() > 0) {
            return wanted;
        }
        long nanos = Math.max(1, nanosOfCall);
        long most = Math.max(wanted, TIMED_NANOS_MIN / nanos);
        return (int)
                Math.clamp(TIMED_NANOS_MAX / nanos, ITERATIONS_MIN, Math.min(most, ITERATIONS_MAX));
    }

    /** As the MPI benchmark has it; more where those take no time to speak of. */
    private static int usualIterations(long bytes) {
        return bytes < 64 << 10 ? ITERATIONS_SHORT : bytes < 1 << 20 ? 2_000 : 100;
    }

    private boolean isCorrect(Work work) {
        boolean isCorrect = work.isCorrect(oracle);
        work.spoil();
        world.barrier();
        isCorrect &= spec.op() == BenchOp.BARRIER ? waitsForAll(work) : true;
        work.call().run();
        isCorrect &= work.isCorrect(oracle);
        long[] all = {isCorrect ? 1 : 0};
        world.allReduce(DataBuffer.of(all), ReduceOp.MIN);
        return all[0] == 1;
    }

    private boolean waitsForAll(Work work) {
        boolean waits = true;
        for (int round = 0; round < LATE_ROUNDS; round++) {
            waits &= waitsForTheLate(work);
            world.barrier();
        }
        return waits;
    }

    /**
     * A barrier writes nothing that could be looked at: one rank comes late, and nobody may be
     * through before it came. All are on one host, so their clocks are one.
     */
    private boolean waitsForTheLate(Work work) {
        long came = System.nanoTime();
        if (world.rank() == world.size() - 1) {
            while (System.nanoTime() - came < LATE_NANOS) {
                Thread.onSpinWait();
            }
            came = System.nanoTime();
        }
        work.call().run();
        long left = System.nanoTime();
        // Both as a smallest one: the last that came, the first that left.
        long[] ends = {-came, left};
        world.allReduce(DataBuffer.of(ends), ReduceOp.MIN);
        return -ends[0] <= ends[1];
    }
}
