package io.nexar;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The operations of {@link Communicator}, each of which starts at once and returns a {@link
 * Request}. Made by {@link Communicator#async()}; timeout and algorithm are those of the view it
 * was called on.
 *
 * <p>Nothing here blocks. Arguments are checked, and a collective's place in the order of calls is
 * taken, in the calling thread, so bad arguments throw from the method itself; everything later is
 * the request's. Several collectives may be under way at once; they need the same order of starts
 * on all ranks, and one starting thread at a time. Until a request is over its send buffers must
 * not be written and its receive buffers must not be touched. Shapes are those of the method of the
 * same name there.
 */
public interface AsyncCommunicator {

    /** Starts {@link Communicator#barrier()}. */
    Request<Void> barrier();

    /** Starts {@link Communicator#broadcast}. */
    Request<Void> broadcast(DataBuffer buffer, int root);

    /** Starts {@link Communicator#reduce}. */
    Request<Void> reduce(DataBuffer send, @Nullable DataBuffer receive, ReduceOp op, int root);

    /** Starts {@link Communicator#allReduce(DataBuffer, ReduceOp)}. */
    Request<Void> allReduce(DataBuffer buffer, ReduceOp op);

    /** Starts {@link Communicator#allReduce(DataBuffer, DataBuffer, ReduceOp)}. */
    Request<Void> allReduce(DataBuffer send, DataBuffer receive, ReduceOp op);

    /** Starts {@link Communicator#allReduce(List, ReduceOp)}. */
    Request<Void> allReduce(List<DataBuffer> buffers, ReduceOp op);

    /** Starts {@link Communicator#gather(DataBuffer, DataBuffer, int)}. */
    Request<Void> gather(DataBuffer send, @Nullable DataBuffer receive, int root);

    /** Starts {@link Communicator#gather(DataBuffer, DataBuffer, long[], int)}. */
    Request<Void> gather(DataBuffer send, @Nullable DataBuffer receive, long[] counts, int root);

    /** Starts {@link Communicator#scatter(DataBuffer, DataBuffer, int)}. */
    Request<Void> scatter(@Nullable DataBuffer send, DataBuffer receive, int root);

    /** Starts {@link Communicator#scatter(DataBuffer, long[], DataBuffer, int)}. */
    Request<Void> scatter(@Nullable DataBuffer send, long[] counts, DataBuffer receive, int root);

    /** Starts {@link Communicator#allGather(DataBuffer, DataBuffer)}. */
    Request<Void> allGather(DataBuffer send, DataBuffer receive);

    /** Starts {@link Communicator#allGather(DataBuffer, DataBuffer, long[])}. */
    Request<Void> allGather(DataBuffer send, DataBuffer receive, long[] counts);

    /** Starts {@link Communicator#allGather(DataBuffer)}. */
    Request<Void> allGather(DataBuffer buffer);

    /** Starts {@link Communicator#reduceScatter(DataBuffer, DataBuffer, ReduceOp)}. */
    Request<Void> reduceScatter(DataBuffer send, DataBuffer receive, ReduceOp op);

    /** Starts {@link Communicator#reduceScatter(DataBuffer, DataBuffer, long[], ReduceOp)}. */
    Request<Void> reduceScatter(DataBuffer send, DataBuffer receive, long[] counts, ReduceOp op);

    /**
     * Starts {@link Communicator#reduceScatter(DataBuffer, ReduceOp)}; the result is this rank's
     * part.
     */
    Request<DataBuffer> reduceScatter(DataBuffer buffer, ReduceOp op);

    /** Starts {@link Communicator#allToAll(DataBuffer, DataBuffer)}. */
    Request<Void> allToAll(DataBuffer send, DataBuffer receive);

    /** Starts {@link Communicator#allToAll(DataBuffer, long[], DataBuffer, long[])}. */
    Request<Void> allToAll(
            DataBuffer send, long[] sendCounts, DataBuffer receive, long[] receiveCounts);

    /** Starts {@link Communicator#scan}. */
    Request<Void> scan(DataBuffer send, DataBuffer receive, ReduceOp op);

    /** Starts {@link Communicator#exclusiveScan}. */
    Request<Void> exclusiveScan(DataBuffer send, DataBuffer receive, ReduceOp op);

    /** Starts {@link Communicator#neighborExchange(DataBuffer, DataBuffer, Neighborhood)}. */
    Request<Void> neighborExchange(DataBuffer send, DataBuffer receive, Neighborhood neighborhood);

    /** Starts {@link Communicator#neighborExchange(List, List, Neighborhood)}. */
    Request<Void> neighborExchange(
            List<DataBuffer> send, List<DataBuffer> receive, Neighborhood neighborhood);

    /** Starts {@link Communicator#allReduceCompressed}. */
    Request<CompressionReport> allReduceCompressed(
            DataBuffer buffer, ReduceOp op, CompressionState state);

    /**
     * Starts {@link Communicator#send(DataBuffer, int, int)}; over when the buffer may be written
     * again.
     */
    Request<Void> send(DataBuffer buffer, int dest, int tag);

    /**
     * Starts {@link Communicator#send(List, int, int)}; over when the buffers may be written again.
     */
    Request<Void> send(List<DataBuffer> buffers, int dest, int tag);

    /**
     * Starts {@link Communicator#receive(DataBuffer, int, int)}: its place in matching is taken at
     * once.
     */
    Request<Status> receive(DataBuffer buffer, int source, int tag);

    /**
     * Starts {@link Communicator#receive(List, int, int)}: its place in matching is taken at once.
     */
    Request<Status> receive(List<DataBuffer> buffers, int source, int tag);

    /** Starts {@link Communicator#sendReceive}. */
    Request<Status> sendReceive(
            DataBuffer send, int dest, int sendTag, DataBuffer receive, int source, int receiveTag);
}
