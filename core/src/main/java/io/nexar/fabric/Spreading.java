package io.nexar.fabric;

import java.util.concurrent.locks.LockSupport;

/**
 * Gets a leader off a core that it shares with its peer while another core is idle. Linux moves
 * neither of two threads that yield to each other: whatever has run within half a millisecond it
 * holds to be at home in its cache. It places a thread anew when that wakes up. So who yields
 * sleeps for a moment, now and then. The leader's.
 */
final class Spreading {
    /** As long as it is to sleep and wake up; a hundredth of the time at most goes there. */
    private static final long NAP_NANOS = 20_000;

    /** Two ranks that share a core lose at most twice this before one is moved. */
    private static final long PERIOD_NANOS = 10_000_000;

    private long lastNanos;

    /** The leader has found nothing and has yielded. */
    void yielded(long nowNanos) {
        if (nowNanos - lastNanos >= PERIOD_NANOS) {
            lastNanos = nowNanos;
            LockSupport.parkNanos(this, NAP_NANOS);
        }
    }
}
