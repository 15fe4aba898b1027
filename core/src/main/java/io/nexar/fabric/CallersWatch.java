package io.nexar.fabric;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Whether callers come and go, for the background thread, which keeps out of their way. */
final class CallersWatch {
    /**
     * Between two looks: they cost callers next to nothing at a thousand a second, and a peer waits
     * for two of them at most.
     */
    static final long PAUSE_NANOS = 1_000_000;

    private static final VarHandle LEADS = leadsHandle();

    /** How often a caller has led, or looked; written by whoever leads. */
    @SuppressWarnings("unused") // read through LEADS
    private long leads;

    /** The background thread's. */
    private long seen;

    /** A caller has led, or looked. Two at once may count as one. */
    void led() {
        LEADS.setOpaque(this, leads + 1);
    }

    /** The background thread begins to watch. */
    void begin() {
        seen = (long) LEADS.getOpaque(this);
    }

    /** Whether no caller has led since then. */
    boolean isQuiet() {
        return seen == (long) LEADS.getOpaque(this);
    }

    private static VarHandle leadsHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(CallersWatch.class, "leads", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
