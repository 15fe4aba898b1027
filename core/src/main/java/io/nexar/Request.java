package io.nexar;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An operation that was started and goes on without its caller; made by {@link AsyncCommunicator}.
 *
 * <p>A request keeps the buffers of its operation reachable. It ends by itself at the deadline of
 * its communicator, so nobody has to wait for it, but only a waiter hears of a failure. All methods
 * may be called from any thread, more than once.
 *
 * @param <T> the result: {@code Void}, {@link Status}, or a {@link DataBuffer}
 */
public interface Request<T> {

    /**
     * Blocks until the operation is over; at the latest at the operation's own deadline.
     *
     * @return the result; null for {@code Request<Void>}
     * @throws NexarException as the blocking form of the operation
     * @throws InterruptedOperationException if this thread is interrupted: the flag is set again,
     *     and a collective's communicator is broken
     * @throws java.util.concurrent.CancellationException if the request was cancelled
     */
    T await();

    /**
     * Blocks until the operation is over, at most as long as told. When the time is up the
     * operation itself goes on, and may be awaited again.
     *
     * @throws DeadlineException when the time is up; {@code scope()} is {@link Scope#OPERATION}
     */
    T await(Duration timeout);

    /**
     * Whether the operation is over: with a result, with an error, or cancelled. Does not block.
     */
    boolean isDone();

    /**
     * Takes the operation back if it has had no effect yet: a receive that has matched no message,
     * a send of which no byte has left (a small message leaves at once while credit lasts, a large
     * one when its receive is there). What has begun ends as it would have, and so does every
     * collective, since the other ranks count on it. Does not block; does nothing once the
     * operation is over.
     */
    void cancel();

    /**
     * A future that completes when the operation is over, with its result or its error. Completing
     * or cancelling the future does not touch the operation.
     */
    CompletableFuture<T> toCompletableFuture();

    /** {@link #awaitAll(Collection)} of the requests given. */
    static void awaitAll(Request<?>... requests) {
        Requests.awaitAll(List.of(requests));
    }

    /**
     * Blocks until all requests are over, also after one of them has failed; none is waited for
     * longer than its own deadline. No requests: returns at once.
     *
     * @throws RuntimeException the failure of the first request (in the collection's order) that
     *     failed; the failures of the others are suppressed in it
     */
    static void awaitAll(Collection<? extends Request<?>> requests) {
        Requests.awaitAll(requests);
    }

    /** {@link #awaitAny(List)} of the requests given. */
    static int awaitAny(Request<?>... requests) {
        return Requests.awaitAny(List.of(requests));
    }

    /**
     * Blocks until at least one request is over, with a result or with an error, and tells which;
     * {@link #await()} on it then returns or throws at once. If several are over, the first of them
     * in the list's order.
     *
     * @return the index of a request that is over
     * @throws IllegalArgumentException if there are no requests
     * @throws InterruptedOperationException if this thread is interrupted; the flag is set again
     *     and the operations go on
     */
    static int awaitAny(List<? extends Request<?>> requests) {
        return Requests.awaitAny(requests);
    }
}
