package io.nexar.cli.simulate;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.ReduceOp;

import org.jspecify.annotations.Nullable;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * Runs a call until it is as fast as it becomes. The JVM interprets at first, and compiles what it
 * sees often, in the background, on cores that the ranks want as well. So this goes on for a time
 * that one asks for, until calls have not become faster for half of that, and until no rank's
 * compiler has had much to do for half of it; but not for ever. All ranks run the same calls, and
 * rank 0 decides. Owned by the thread that calls it.
 */
public final class WarmUp {
    /** It ends after so many times its length, whatever it has seen. */
    private static final int TIMES_MAX = 8;

    /** While calls still become faster by more than this, the JVM is not done with them. */
    private static final double STEADY = 0.95;

    /** A compiler with less to do than this part of the time rests. */
    private static final double BUSY = 0.1;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Communicator world;
    private final long enoughNanos;
    private final long enoughCalls;
    private final @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();

    private long calls;
    private long spentNanos;
    private double bestNanos = Double.POSITIVE_INFINITY;
    private long spentAtBest;
    private long spentAtBusy;

    /**
     * @param enoughCalls at least, unless they take far more than {@code enoughNanos}
     */
    public WarmUp(Communicator world, long enoughNanos, long enoughCalls) {
        this.world = world;
        this.enoughNanos = enoughNanos;
        this.enoughCalls = enoughCalls;
    }

    /** Blocks until all ranks are warm. Returns the nanoseconds of a call, as rank 0 has them. */
    public long run(Runnable call) {
        long chunk = 1;
        while (chunk > 0) {
            long compiled = compiledMillis();
            long begin = System.nanoTime();
            for (long i = 0; i < chunk; i++) {
                call.run();
            }
            long nanos = System.nanoTime() - begin;
            long[] compiledMost = {compiledMillis() - compiled};
            world.allReduce(DataBuffer.of(compiledMost), ReduceOp.MAX);
            note(chunk, nanos, compiledMost[0] * NANOS_PER_MILLI);
            long[] next = {isOver() ? 0 : nextChunk(chunk, nanos)};
            world.broadcast(DataBuffer.of(next), 0);
            chunk = next[0];
        }
        return spentNanos / calls;
    }

    private void note(long chunk, long nanos, long compiledNanos) {
        spentNanos += nanos;
        calls += chunk;
        if ((double) nanos / chunk < STEADY * bestNanos) {
            bestNanos = (double) nanos / chunk;
            spentAtBest = spentNanos;
        }
        if (compiledNanos > BUSY * nanos) {
            spentAtBusy = spentNanos;
        }
    }

    private boolean isOver() {
        if (spentNanos < enoughNanos) {
            return false;
        }
        boolean isSteady = spentNanos - Math.max(spentAtBest, spentAtBusy) >= enoughNanos / 2;
        return calls >= enoughCalls && isSteady || spentNanos >= TIMES_MAX * enoughNanos;
    }

    /** It takes a tenth of the time, or as many calls as are wanted. */
    private long nextChunk(long chunk, long nanos) {
        boolean isShort = nanos < enoughNanos / 10 && calls < Math.max(enoughCalls, 1 << 20);
        return isShort ? 2 * chunk : chunk;
    }

    private long compiledMillis() {
        return compiler == null ? 0 : compiler.getTotalCompilationTime();
    }
}
