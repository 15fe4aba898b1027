package io.nexar.collective;

/**
 * How long the oldest call has been waiting, from looks at it now and then: while the same call is
 * the oldest it lasts, and while nothing of it moves it waits. Told the time, never asking for it.
 */
final class CallWatch {
    /** What a healthy job's ranks are apart, now and then; well below the five seconds promised. */
    private static final long ASK_AFTER_NANOS = 1_000_000_000;

    /** Answers change when a rank comes or goes; asking costs two small frames a rank. */
    private static final long ASK_AGAIN_NANOS = 5_000_000_000L;

    private boolean isWatching;
    private boolean hasAsked;
    private long sequence;
    private long moves;
    private long lookedNanos;
    private long callSinceNanos;
    private long stillSinceNanos;
    private long askedNanos;

    /** Nothing is under way. */
    void rest(long nowNanos) {
        lookedNanos = nowNanos;
        isWatching = false;
    }

    /**
     * Looks.
     *
     * @param oldest sequence of the oldest call
     * @param moved a count that rises with everything that gets done
     */
    void look(long nowNanos, long oldest, long moved) {
        lookedNanos = nowNanos;
        if (!isWatching || oldest != sequence) {
            isWatching = true;
            sequence = oldest;
            callSinceNanos = nowNanos;
            moves = moved - 1;
        }
        if (moved != moves) {
            moves = moved;
            stillSinceNanos = nowNanos;
            hasAsked = false;
        }
    }

    /** Whether the others are to be asked now. */
    boolean shouldAsk() {
        boolean isDue =
                hasAsked
                        ? lookedNanos - askedNanos >= ASK_AGAIN_NANOS
                        : lookedNanos - stillSinceNanos >= ASK_AFTER_NANOS;
        if (isDue) {
            hasAsked = true;
            askedNanos = lookedNanos;
        }
        return isDue;
    }

    /** When the last look was. */
    long lookedNanos() {
        return lookedNanos;
    }

    /** When the others were asked last. */
    long askedNanos() {
        return askedNanos;
    }

    /** How long nothing had moved at the last look, if this call was the oldest then. */
    long stillNanos(long oldest) {
        return isWatching && oldest == sequence ? lookedNanos - stillSinceNanos : 0;
    }

    /** How long this call had lasted at the last look; 0 if it was not the oldest then. */
    long forNanos(long oldest) {
        return isWatching && oldest == sequence ? lookedNanos - callSinceNanos : 0;
    }
}
