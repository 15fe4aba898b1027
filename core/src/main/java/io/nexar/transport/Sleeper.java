package io.nexar.transport;

/**
 * How a thread that waits for frames sleeps, so that whoever brings some can wake it, also from
 * another process: {@link #prepare}, look once more for work, and then {@link #sleep} if there was
 * none or {@link #cancel} if there was. What comes after {@code prepare} ends the sleep, so nothing
 * is missed between the look and the sleep. One thread at a time.
 */
public interface Sleeper {
    /**
     * Says that the calling thread is about to sleep.
     *
     * @return what {@link #sleep} wants
     */
    long prepare();

    /** There is work: no sleep follows. */
    void cancel();

    /**
     * Sleeps until woken since {@code prepare}, but no longer than that; may also return early, for
     * no reason, and does so soon after an interrupt.
     *
     * @param nanos MAX_VALUE: until woken
     */
    void sleep(long ticket, long nanos);

    /** Ends the sleep of that thread of this process, if it sleeps. Cheap; from any thread. */
    void wake(Thread sleeper);
}
