package io.nexar;

/**
 * A collective that was bound once and may be started many times; made by {@link
 * Communicator#prepare()}. What MPI calls a persistent collective.
 *
 * <p>The buffers are those given when it was prepared, with whatever they hold at each start.
 * Starts are collectives like any others: the same calls in the same order on all ranks, prepared
 * there or not, from one thread at a time. It holds nothing that needs closing, and is good for as
 * long as its communicator.
 */
public interface PreparedCollective {

    /**
     * Starts it, as the method of {@link AsyncCommunicator} does.
     *
     * @throws IllegalStateException if its last start is not over
     */
    Request<Void> start();

    /**
     * Starts it and blocks until this rank's part is over, as the method of {@link Communicator}
     * does.
     *
     * @throws IllegalStateException if its last start is not over
     */
    void run();
}
