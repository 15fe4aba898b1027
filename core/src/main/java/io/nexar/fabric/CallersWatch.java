package io.nexar.fabric;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether callers come and go, and when the background thread looks next. A look preempts a caller,
 * on a core that he may share with a peer: where ranks take turns it puts one out of turn. So the
 * pauses double while each look finds callers, and are short again after one that does not.
 */
final class CallersWatch {
    /** At first: a peer waits for two of them at most. */
    private static final long PAUSE_NANOS = 1_000_000;

    /** Each rank then preempts a caller 125 times a second. */
    private static final long PAUSE_NANOS_MAX = 8 * PAUSE_NANOS;

    private static final VarHandle LEADS = leadsHandle();

    /** How often a caller has led, or looked; written by whoever leads. */
    @SuppressWarnings("unused") // read through LEADS
    private long leads;

    // The background thread's.
    private long seen;
    private long pauseNanos = PAUSE_NANOS;

    /** A caller has led, or looked. Two at once may count as one. */
    void led() {
        LEADS.setOpaque(this, leads + 1);
    }

    /** The background thread begins to watch; returns how long it may do so. */
    long begin() {
        seen = (long) LEADS.getOpaque(this);
        return pauseNanos;
    }

    /** Whether no caller has led since then. */
    boolean isQuiet() {
        return seen == (long) LEADS.getOpaque(this);
    }

    /** The next time comes later if callers were all that there was. */
    void end(boolean wereCallersAll) {
        pauseNanos = wereCallersAll ? Math.min(2 * pauseNanos, PAUSE_NANOS_MAX) : PAUSE_NANOS;
    }

    private static VarHandle leadsHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(CallersWatch.class, "leads", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
