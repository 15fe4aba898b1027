package io.nexar.fabric;

/** What may wait on a channel, and wants to know for how long; with the progress lock held. */
public interface Waiting {
    /** Whether anything waits, so that somebody has to look how long. */
    boolean isWaiting();

    /**
     * Looks how long it has been waiting; told every quarter of a second or so while anything does.
     * Returns whether there was anything to do.
     */
    boolean sample(long nowNanos);
}
