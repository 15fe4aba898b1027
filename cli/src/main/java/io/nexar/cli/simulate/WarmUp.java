package io.nexar.cli.simulate;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.ReduceOp;

import java.util.function.LongConsumer;

/**
 * Runs a call until it is as fast as it becomes. The JVM interprets at first, and compiles what it
 * sees often, in the background, on cores that the ranks want as well: after some calls that made
 * it compile they leave it the cores until it is done. This goes on for a time that one asks for,
 * until calls have not become faster for half of that, and until no rank's compiler has had much to
 * do for half of it; but not for ever. All ranks run the same calls, and rank 0 decides. Owned by
 * the thread that calls it.
 */
public final class WarmUp {
    /** It ends after so many times its length, whatever it has seen. */
    private static final int TIMES_MAX = 8;

    /** While calls still become faster by more than this, the JVM is not done with them. */
    private static final double STEADY = 0.95;

    /** A compiler with less to do than this part of the time rests. */
    private static final double BUSY = 0.1;

    private final Communicator world;
    private final long enoughNanos;
    private final long enoughCalls;
    private final CompilerWatch compiler = new CompilerWatch();

    private long made;
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

    /**
     * Blocks until all ranks are warm.
     *
     * @param calls makes so many calls, by the same method as they are timed by: the JVM compiles a
     *     loop with all that it calls, and would begin again with another loop
     * @return the nanoseconds of a call, as rank 0 has them
     */
    public long run(LongConsumer calls) {
        long chunk = 1;
        while (chunk > 0) {
            long compiled = compiler.spentNanos();
            long begin = System.nanoTime();
            calls.accept(chunk);
            long nanos = System.nanoTime() - begin;
            long[] compiledMost = {compiler.spentNanos() - compiled};
            if (compiledMost[0] > BUSY * nanos) {
                compiler.awaitQuiet(enoughNanos);
            }
            world.allReduce(DataBuffer.of(compiledMost), ReduceOp.MAX);
            note(chunk, nanos, compiledMost[0]);
            long[] next = {isOver() ? 0 : nextChunk(chunk, nanos)};
            world.broadcast(DataBuffer.of(next), 0);
            chunk = next[0];
            world.barrier(); // as before the timing: code on new ways would be compiled again
        }
        return spentNanos / made;
    }

    private void note(long chunk, long nanos, long compiledNanos) {
        spentNanos += nanos;
        made += chunk;
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
        return made >= enoughCalls && isSteady || spentNanos >= TIMES_MAX * enoughNanos;
    }

    /** It takes a tenth of the time, or as many calls as are wanted. */
    private long nextChunk(long chunk, long nanos) {
        boolean isShort = nanos < enoughNanos / 10 && made < Math.max(enoughCalls, 1 << 20);
        return isShort ? 2 * chunk : chunk;
    }
}
