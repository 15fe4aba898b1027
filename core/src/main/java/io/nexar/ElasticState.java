package io.nexar;

/**
 * A program's state as {@link Elastic#run} handles it: kept at a commit, taken back after a
 * failure.
 */
public interface ElasticState {

    /** Keeps the state as it is now: what {@link #rollBack} returns to. */
    void commit();

    /** Returns to the last commit, or to the start if there was none. */
    void rollBack();

    /**
     * Makes the state the same on all ranks. Called on all of them, the newcomers included, after
     * the membership has changed; usually a broadcast from the source.
     *
     * @param source the rank of the longest-lived member, never a newcomer
     */
    void synchronize(Communicator communicator, int source);
}
