package io.nexar.membership;

import io.nexar.MemberId;

/** What a detector knows of one member. Plain state, changed by {@link DetectorMachine} only. */
final class Watched {
    final MemberId member;
    final int rank;

    /** Nothing but its own heartbeats counts as heard; another's pause does not shift it. */
    boolean isHeard;

    long heardNanos;

    /** Its silence, as far as it counts against it, began then. */
    long silentSinceNanos;

    /** Somebody else has heard it then. */
    long vouchedNanos;

    boolean isWatched;
    boolean isSuspected;
    long suspectedNanos;
    boolean isGone;

    Watched(MemberId member, int rank) {
        this.member = member;
        this.rank = rank;
    }

    /** Begins or ends the watch; its silence counts from {@code nowNanos} on, or later. */
    void watch(boolean isNowWatched, long nowNanos, long graceNanos) {
        if (isNowWatched && !isWatched) {
            silentSinceNanos = nowNanos + graceNanos;
            vouchedNanos = nowNanos;
        }
        isWatched = isNowWatched;
        isSuspected &= isNowWatched;
    }

    /** Nobody can be silent while we don't listen. */
    void shift(long pauseNanos, long nowNanos) {
        silentSinceNanos =
                Math.max(silentSinceNanos, Math.min(nowNanos, silentSinceNanos + pauseNanos));
        vouchedNanos = Math.max(vouchedNanos, Math.min(nowNanos, vouchedNanos + pauseNanos));
        suspectedNanos = Math.max(suspectedNanos, Math.min(nowNanos, suspectedNanos + pauseNanos));
    }
}
