package io.nexar;

import java.time.Duration;

/**
 * Calls of named handlers on other ranks. Handlers are served without any loop in the program, each
 * call on a virtual thread of its own, so a handler may block, and several calls of one handler run
 * at once.
 *
 * <p>Requests and replies are bytes, or objects that the configured {@link io.nexar.spi.Serializer}
 * takes: records by default. No class is loaded because a peer names it. All methods are safe from
 * any number of threads; concurrent calls never mix. A call's deadline travels with it: when it is
 * over, the caller gets {@link DeadlineException}, the handler's thread is interrupted, a late
 * reply is dropped, and the communicator stays usable.
 */
public interface Rpc {

    /** Answers calls with bytes. */
    @FunctionalInterface
    interface Handler {
        /**
         * Answers one call.
         *
         * @throws Exception whatever it throws is a {@link RemoteCallException} at the caller
         */
        byte[] handle(Call call, byte[] request) throws Exception;
    }

    /** Answers calls with objects. */
    @FunctionalInterface
    interface ObjectHandler<A, R> {
        /**
         * Answers one call.
         *
         * @throws Exception whatever it throws is a {@link RemoteCallException} at the caller
         */
        R handle(Call call, A request) throws Exception;
    }

    /**
     * What a handler knows about its call.
     *
     * @param caller the calling rank
     * @param name the name that was called
     * @param timeout how much time the caller had left when the call arrived
     */
    record Call(int caller, String name, Duration timeout) {}

    /** A registered handler; closing it takes it away. Calls that run are finished. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Serves a name on this rank. Does not block.
     *
     * @throws IllegalStateException if the name is served already
     */
    Registration register(String name, Handler handler);

    /** Serves a name with objects. */
    <A, R> Registration register(String name, Class<A> requestType, ObjectHandler<A, R> handler);

    /**
     * Calls and waits for the reply, at most until the communicator's deadline.
     *
     * @param rank may be this rank
     * @throws RemoteCallException if the handler threw, or {@code rank} serves no such name
     */
    byte[] call(int rank, String name, byte[] request);

    /** Calls with an object and waits for an object. */
    <R> R call(int rank, String name, Object request, Class<R> replyType);

    /** Calls without waiting; the request ends with the reply. */
    Request<byte[]> callAsync(int rank, String name, byte[] request);

    /** Calls with an object without waiting. */
    <R> Request<R> callAsync(int rank, String name, Object request, Class<R> replyType);

    /** A view with another deadline for each call; more than zero. */
    Rpc withTimeout(Duration timeout);
}
