package io.nexar.fabric;

import java.util.List;

/**
 * When channels look how long they have been waiting. A timer for each call would cost every call
 * something; looking at all of them now and then costs nothing while calls come and go, and tells
 * the length of a wait to one period. Guarded by the progress lock, but for {@code nextNanos},
 * which a leader reads before it parks (pairs with the volatile writes).
 */
final class Sampling {
    /** Fine enough to answer within the first second of a wait, and four wake-ups a second. */
    private static final long PERIOD_NANOS = 250_000_000;

    private volatile long next = Long.MAX_VALUE;

    /** When the next look is due; MAX_VALUE while nothing waits. */
    long nextNanos() {
        return next;
    }

    /** Looks if it is time to; returns how much came of it. */
    int run(List<Channel> channels, long nowNanos) {
        long due = next;
        if (!isAnythingWaiting(channels)) {
            if (due != Long.MAX_VALUE) {
                next = Long.MAX_VALUE;
            }
            return 0;
        }
        if (due != Long.MAX_VALUE && nowNanos - due < 0) {
            return 0;
        }
        next = nowNanos + PERIOD_NANOS;
        int work = 0;
        for (int i = 0; due != Long.MAX_VALUE && i < channels.size(); i++) {
            Waiting waiting = channels.get(i).waiting();
            work += waiting != null && waiting.sample(nowNanos) ? 1 : 0;
        }
        return work;
    }

    private static boolean isAnythingWaiting(List<Channel> channels) {
        for (int i = 0; i < channels.size(); i++) {
            Waiting waiting = channels.get(i).waiting();
            if (waiting != null && waiting.isWaiting()) {
                return true;
            }
        }
        return false;
    }
}
