package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.Neighborhood;
import io.nexar.PreparedCollective;
import io.nexar.PreparingCommunicator;
import io.nexar.ReduceOp;
import io.nexar.Request;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The same operations bound instead of started. Nothing is shared: any thread may prepare. */
final class NexarPreparingCommunicator implements PreparingCommunicator {
    private final CommunicatorCore core;
    private final ViewOptions options;

    NexarPreparingCommunicator(CommunicatorCore core, ViewOptions options) {
        this.core = core;
        this.options = options;
    }

    @Override
    public PreparedCollective barrier() {
        return bind(spec().barrier());
    }

    @Override
    public PreparedCollective broadcast(DataBuffer buffer, int root) {
        return bind(spec().broadcast(buffer, root));
    }

    @Override
    public PreparedCollective reduce(
            DataBuffer send, @Nullable DataBuffer receive, ReduceOp op, int root) {
        return bind(spec().reduce(send, receive, op, root));
    }

    @Override
    public PreparedCollective allReduce(DataBuffer buffer, ReduceOp op) {
        return allReduce(buffer, buffer, op);
    }

    @Override
    public PreparedCollective allReduce(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return bind(spec().allReduce(send, receive, op));
    }

    @Override
    public PreparedCollective allReduce(List<DataBuffer> buffers, ReduceOp op) {
        return buffers.isEmpty()
                ? new PreparedNothing()
                : bind(spec().allReduce(List.copyOf(buffers), op));
    }

    @Override
    public PreparedCollective gather(DataBuffer send, @Nullable DataBuffer receive, int root) {
        return bind(spec().gather(send, receive, root));
    }

    @Override
    public PreparedCollective gather(
            DataBuffer send, @Nullable DataBuffer receive, long[] counts, int root) {
        return bind(spec().gather(send, receive, counts, root));
    }

    @Override
    public PreparedCollective scatter(@Nullable DataBuffer send, DataBuffer receive, int root) {
        return bind(spec().scatter(send, receive, root));
    }

    @Override
    public PreparedCollective scatter(
            @Nullable DataBuffer send, long[] counts, DataBuffer receive, int root) {
        return bind(spec().scatter(send, counts, receive, root));
    }

    @Override
    public PreparedCollective allGather(DataBuffer send, DataBuffer receive) {
        return bind(spec().allGather(send, receive));
    }

    @Override
    public PreparedCollective allGather(DataBuffer send, DataBuffer receive, long[] counts) {
        return bind(spec().allGather(send, receive, counts));
    }

    @Override
    public PreparedCollective allGather(DataBuffer buffer) {
        return bind(spec().allGather(buffer));
    }

    @Override
    public PreparedCollective reduceScatter(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return bind(spec().reduceScatter(send, receive, op));
    }

    @Override
    public PreparedCollective reduceScatter(
            DataBuffer send, DataBuffer receive, long[] counts, ReduceOp op) {
        return bind(spec().reduceScatter(send, receive, counts, op));
    }

    @Override
    public PreparedCollective reduceScatter(DataBuffer buffer, ReduceOp op) {
        return bind(spec().reduceScatter(buffer, op));
    }

    @Override
    public PreparedCollective allToAll(DataBuffer send, DataBuffer receive) {
        return bind(spec().allToAll(send, receive));
    }

    @Override
    public PreparedCollective allToAll(
            DataBuffer send, long[] sendCounts, DataBuffer receive, long[] receiveCounts) {
        return bind(spec().allToAll(send, sendCounts, receive, receiveCounts));
    }

    @Override
    public PreparedCollective scan(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return bind(spec().scan(send, receive, op));
    }

    @Override
    public PreparedCollective exclusiveScan(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return bind(spec().exclusiveScan(send, receive, op));
    }

    @Override
    public PreparedCollective neighborExchange(
            DataBuffer send, DataBuffer receive, Neighborhood neighborhood) {
        return bind(spec().neighborExchange(send, receive, neighborhood));
    }

    @Override
    public PreparedCollective neighborExchange(
            List<DataBuffer> send, List<DataBuffer> receive, Neighborhood neighborhood) {
        return bind(spec().neighborExchange(send, receive, neighborhood));
    }

    private static CollectiveSpec spec() {
        return new CollectiveSpec();
    }

    private PreparedCollective bind(CollectiveSpec spec) {
        BoundCollective bound = new BoundCollective(core, options).bind(spec);
        return new NexarPreparedCollective(core, bound);
    }

    /** What an empty list is prepared to. */
    private record PreparedNothing() implements PreparedCollective {
        @Override
        public Request<Void> start() {
            return new DoneRequest<>(() -> null);
        }

        @Override
        public void run() {}
    }
}
