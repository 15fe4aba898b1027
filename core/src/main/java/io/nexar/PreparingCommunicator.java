package io.nexar;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The collectives of {@link Communicator}, each of which is bound to its buffers and returned
 * instead of started. Made by {@link Communicator#prepare()}; timeout and algorithm are those of
 * the view it was called on.
 *
 * <p>Nothing here blocks or sends, and nothing has to be called by all ranks: what all ranks do is
 * to {@link PreparedCollective#start() start} it. Arguments are checked, algorithm, plan and kernel
 * are chosen once, so bad arguments throw from the method itself. Arrays of counts are copied; the
 * buffers are not. Shapes are those of the method of the same name there.
 */
public interface PreparingCommunicator {

    /** Prepares {@link Communicator#barrier()}. */
    PreparedCollective barrier();

    /** Prepares {@link Communicator#broadcast}. */
    PreparedCollective broadcast(DataBuffer buffer, int root);

    /** Prepares {@link Communicator#reduce}. */
    PreparedCollective reduce(DataBuffer send, @Nullable DataBuffer receive, ReduceOp op, int root);

    /** Prepares {@link Communicator#allReduce(DataBuffer, ReduceOp)}. */
    PreparedCollective allReduce(DataBuffer buffer, ReduceOp op);

    /** Prepares {@link Communicator#allReduce(DataBuffer, DataBuffer, ReduceOp)}. */
    PreparedCollective allReduce(DataBuffer send, DataBuffer receive, ReduceOp op);

    /**
     * Prepares {@link Communicator#allReduce(List, ReduceOp)}; of an empty list, what does nothing
     * and counts as no call.
     */
    PreparedCollective allReduce(List<DataBuffer> buffers, ReduceOp op);

    /** Prepares {@link Communicator#gather(DataBuffer, DataBuffer, int)}. */
    PreparedCollective gather(DataBuffer send, @Nullable DataBuffer receive, int root);

    /** Prepares {@link Communicator#gather(DataBuffer, DataBuffer, long[], int)}. */
    PreparedCollective gather(
            DataBuffer send, @Nullable DataBuffer receive, long[] counts, int root);

    /** Prepares {@link Communicator#scatter(DataBuffer, DataBuffer, int)}. */
    PreparedCollective scatter(@Nullable DataBuffer send, DataBuffer receive, int root);

    /** Prepares {@link Communicator#scatter(DataBuffer, long[], DataBuffer, int)}. */
    PreparedCollective scatter(
            @Nullable DataBuffer send, long[] counts, DataBuffer receive, int root);

    /** Prepares {@link Communicator#allGather(DataBuffer, DataBuffer)}. */
    PreparedCollective allGather(DataBuffer send, DataBuffer receive);

    /** Prepares {@link Communicator#allGather(DataBuffer, DataBuffer, long[])}. */
    PreparedCollective allGather(DataBuffer send, DataBuffer receive, long[] counts);

    /** Prepares {@link Communicator#allGather(DataBuffer)}. */
    PreparedCollective allGather(DataBuffer buffer);

    /** Prepares {@link Communicator#reduceScatter(DataBuffer, DataBuffer, ReduceOp)}. */
    PreparedCollective reduceScatter(DataBuffer send, DataBuffer receive, ReduceOp op);

    /** Prepares {@link Communicator#reduceScatter(DataBuffer, DataBuffer, long[], ReduceOp)}. */
    PreparedCollective reduceScatter(
            DataBuffer send, DataBuffer receive, long[] counts, ReduceOp op);

    /** Prepares {@link Communicator#reduceScatter(DataBuffer, ReduceOp)}. */
    PreparedCollective reduceScatter(DataBuffer buffer, ReduceOp op);

    /** Prepares {@link Communicator#allToAll(DataBuffer, DataBuffer)}. */
    PreparedCollective allToAll(DataBuffer send, DataBuffer receive);

    /** Prepares {@link Communicator#allToAll(DataBuffer, long[], DataBuffer, long[])}. */
    PreparedCollective allToAll(
            DataBuffer send, long[] sendCounts, DataBuffer receive, long[] receiveCounts);

    /** Prepares {@link Communicator#scan}. */
    PreparedCollective scan(DataBuffer send, DataBuffer receive, ReduceOp op);

    /** Prepares {@link Communicator#exclusiveScan}. */
    PreparedCollective exclusiveScan(DataBuffer send, DataBuffer receive, ReduceOp op);

    /** Prepares {@link Communicator#neighborExchange(DataBuffer, DataBuffer, Neighborhood)}. */
    PreparedCollective neighborExchange(
            DataBuffer send, DataBuffer receive, Neighborhood neighborhood);

    /** Prepares {@link Communicator#neighborExchange(List, List, Neighborhood)}. */
    PreparedCollective neighborExchange(
            List<DataBuffer> send, List<DataBuffer> receive, Neighborhood neighborhood);
}
