package io.nexar.rendezvous;

import io.nexar.MemberId;

import java.util.function.Consumer;

/**
 * A member's connection to the seed. The kernel closes it when the process dies, which the seed
 * tells all others. Safe in any thread.
 */
public interface Tether {

    /**
     * Hands over what the seed says: first what it said before this call, then the rest as it
     * comes, in a thread of the connection, which must not be held up. To be called once.
     */
    void listen(Consumer<TetherEvent> listener);

    /**
     * Asks whether the seed still has an answer from that member. If so, {@link
     * TetherEvent.Answers} comes.
     */
    void ask(MemberId about);

    /**
     * Gives a member up: the seed tells it, and all others. A member that gives itself up says why
     * it dies. Nothing if the seed is gone.
     */
    void lost(MemberId member, String reason);

    /** Answers {@link TetherEvent.Asked}; dropped if the seed is gone. */
    void report(long query, byte[] report);

    /** Ends the job on all other ranks. Does nothing if the seed is gone. */
    void abort(String reason);

    /**
     * Says goodbye, so that the close is no death, and waits until the seed has heard it, but no
     * longer than {@code timeoutNanos}. Returns at once if the seed is gone. Then releases the
     * connection and its thread.
     */
    void leave(String reason, long timeoutNanos);

    /** Releases the connection and its thread without a goodbye: to others this is a death. */
    void cut();
}
