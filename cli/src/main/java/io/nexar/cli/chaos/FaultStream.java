package io.nexar.cli.chaos;

import io.nexar.cli.chaos.Fate.Outcome;

import java.util.concurrent.TimeUnit;

/**
 * Decides what becomes of the datagrams of one direction. Chance is a function of (random seed,
 * stream, number of the datagram, question), not of time or of what was asked before: the same seed
 * loses the same datagrams of a stream, whatever the faults are besides.
 *
 * <p>Pure: it sends nothing and reads no clock. One thread at a time.
 */
final class FaultStream {

    /** What a slow path queues before it drops: 200 ms, a common depth of routers' buffers. */
    static final long BACKLOG_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(200);

    /** The questions that chance answers for each datagram. */
    private static final int LOSS = 0;

    private static final int LATE = 1;
    private static final int LATENESS = 2;
    private static final int DOUBLE = 3;
    private static final int DOUBLE_LATENESS = 4;
    private static final int QUESTIONS = 8;

    /** A double of a datagram comes within a few milliseconds: it took another way. */
    private static final long DOUBLE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(5);

    private final long key;
    private long number;
    private boolean hasSent;
    private long freeAtNanos;

    FaultStream(long randomSeed, long stream) {
        key = mix(randomSeed) ^ mix(~stream);
    }

    Fate decide(Faults faults, int bytes, long nowNanos) {
        long datagram = number++;
        if (faults.isCut()) {
            return Fate.dropped(Outcome.CUT);
        }
        if (bytes > faults.datagramBytesMax()) {
            return Fate.dropped(Outcome.TOO_LARGE);
        }
        if (chance(datagram, LOSS) < faults.lossRate()) {
            return Fate.dropped(Outcome.LOST);
        }
        long departs = departure(faults, bytes, nowNanos);
        if (departs - nowNanos > BACKLOG_NANOS_MAX) {
            return Fate.dropped(Outcome.TOO_MANY);
        }
        hasSent = true;
        freeAtNanos = departs;
        long at = departs + faults.delay().toNanos() + lateness(faults, datagram);
        boolean isDoubled = chance(datagram, DOUBLE) < faults.duplicateRate();
        long again = at + (long) (chance(datagram, DOUBLE_LATENESS) * DOUBLE_NANOS_MAX);
        return new Fate(Outcome.PASSED, at, isDoubled ? again : Fate.NEVER);
    }

    /** When the path has taken this datagram, behind those before it. */
    private long departure(Faults faults, int bytes, long nowNanos) {
        if (faults.bytesPerSecond() == Faults.UNLIMITED) {
            return nowNanos;
        }
        long takes = (long) (1e9 * bytes / faults.bytesPerSecond());
        return (hasSent && freeAtNanos - nowNanos > 0 ? freeAtNanos : nowNanos) + takes;
    }

    private long lateness(Faults faults, long datagram) {
        return chance(datagram, LATE) < faults.lateRate()
                ? (long) (chance(datagram, LATENESS) * faults.late().toNanos())
                : 0;
    }

    /** 0 to 1, without 1. */
    private double chance(long datagram, int question) {
        return (mix(key + datagram * QUESTIONS + question) >>> 11) * 0x1.0p-53;
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014), over the golden ratio's steps. */
    private static long mix(long value) {
        long mixed = value * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
