package io.nexar.communicator;

import io.nexar.AsyncCommunicator;
import io.nexar.CompressionReport;
import io.nexar.CompressionState;
import io.nexar.DataBuffer;
import io.nexar.Neighborhood;
import io.nexar.ReduceOp;
import io.nexar.Request;
import io.nexar.Status;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Supplier;

/**
 * The same operations without waiting: each is started in the calling thread, which also takes its
 * sequence number, and goes on in whoever drives the rank.
 */
final class NexarAsyncCommunicator implements AsyncCommunicator {
    private final CommunicatorCore core;
    private final ViewOptions options;
    private final Messages messages;
    private final Collectives collectives;
    private final CompressedCalls compressed;

    NexarAsyncCommunicator(
            CommunicatorCore core,
            ViewOptions options,
            Messages messages,
            Collectives collectives,
            CompressedCalls compressed) {
        this.core = core;
        this.options = options;
        this.messages = messages;
        this.collectives = collectives;
        this.compressed = compressed;
    }

    @Override
    public Request<Void> barrier() {
        return start(begin("barrier").barrier());
    }

    @Override
    public Request<Void> broadcast(DataBuffer buffer, int root) {
        return start(begin("broadcast").broadcast(buffer, root));
    }

    @Override
    public Request<Void> allReduce(DataBuffer buffer, ReduceOp op) {
        return allReduce(buffer, buffer, op);
    }

    @Override
    public Request<Void> allReduce(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return start(begin("allReduce").allReduce(send, receive, op));
    }

    @Override
    public Request<Void> allGather(DataBuffer send, DataBuffer receive) {
        return start(begin("allGather").allGather(send, receive));
    }

    @Override
    public Request<Void> allGather(DataBuffer send, DataBuffer receive, long[] counts) {
        return start(begin("allGather").allGather(send, receive, counts));
    }

    @Override
    public Request<Void> allGather(DataBuffer buffer) {
        return start(begin("allGather").allGather(buffer));
    }

    @Override
    public Request<Void> reduceScatter(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return start(begin("reduceScatter").reduceScatter(send, receive, op));
    }

    @Override
    public Request<Void> reduceScatter(
            DataBuffer send, DataBuffer receive, long[] counts, ReduceOp op) {
        return start(begin("reduceScatter").reduceScatter(send, receive, counts, op));
    }

    @Override
    public Request<DataBuffer> reduceScatter(DataBuffer buffer, ReduceOp op) {
        return start(
                begin("reduceScatter").reduceScatter(buffer, op),
                () -> Arguments.share(buffer, core.rank(), core.size(), op.itemWidth()));
    }

    @Override
    public Request<Void> reduce(
            DataBuffer send, @Nullable DataBuffer receive, ReduceOp op, int root) {
        return start(begin("reduce").reduce(send, receive, op, root));
    }

    @Override
    public Request<Void> allReduce(List<DataBuffer> buffers, ReduceOp op) {
        return buffers.isEmpty()
                ? new DoneRequest<>(() -> null)
                : start(begin("allReduce").allReduce(buffers, op));
    }

    @Override
    public Request<Void> gather(DataBuffer send, @Nullable DataBuffer receive, int root) {
        return start(begin("gather").gather(send, receive, root));
    }

    @Override
    public Request<Void> gather(
            DataBuffer send, @Nullable DataBuffer receive, long[] counts, int root) {
        return start(begin("gather").gather(send, receive, counts, root));
    }

    @Override
    public Request<Void> scatter(@Nullable DataBuffer send, DataBuffer receive, int root) {
        return start(begin("scatter").scatter(send, receive, root));
    }

    @Override
    public Request<Void> scatter(
            @Nullable DataBuffer send, long[] counts, DataBuffer receive, int root) {
        return start(begin("scatter").scatter(send, counts, receive, root));
    }

    @Override
    public Request<Void> allToAll(DataBuffer send, DataBuffer receive) {
        return start(begin("allToAll").allToAll(send, receive));
    }

    @Override
    public Request<Void> allToAll(
            DataBuffer send, long[] sendCounts, DataBuffer receive, long[] receiveCounts) {
        return start(begin("allToAll").allToAll(send, sendCounts, receive, receiveCounts));
    }

    @Override
    public Request<Void> scan(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return start(begin("scan").scan(send, receive, op));
    }

    @Override
    public Request<Void> exclusiveScan(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return start(begin("exclusiveScan").exclusiveScan(send, receive, op));
    }

    @Override
    public Request<Void> neighborExchange(
            DataBuffer send, DataBuffer receive, Neighborhood neighborhood) {
        return start(begin("neighborExchange").neighborExchange(send, receive, neighborhood));
    }

    @Override
    public Request<Void> neighborExchange(
            List<DataBuffer> send, List<DataBuffer> receive, Neighborhood neighborhood) {
        return start(begin("neighborExchange").neighborExchange(send, receive, neighborhood));
    }

    @Override
    public Request<CompressionReport> allReduceCompressed(
            DataBuffer buffer, ReduceOp op, CompressionState state) {
        core.enterCollective(CompressedCalls.NAME);
        try {
            return OperationRequest.unattended(compressed.start(buffer, op, state, false));
        } finally {
            core.exitCollective();
        }
    }

    @Override
    public Request<Void> send(DataBuffer buffer, int dest, int tag) {
        return OperationRequest.unattended(
                messages.send(Places.of(buffer), dest, tag, options.timeout()));
    }

    @Override
    public Request<Status> receive(DataBuffer buffer, int source, int tag) {
        return OperationRequest.unattended(
                messages.receive(Places.toReceive(buffer), source, tag, options.timeout()));
    }

    @Override
    public Request<Void> send(List<DataBuffer> buffers, int dest, int tag) {
        return OperationRequest.unattended(
                messages.send(Places.of(buffers), dest, tag, options.timeout()));
    }

    @Override
    public Request<Status> receive(List<DataBuffer> buffers, int source, int tag) {
        return OperationRequest.unattended(
                messages.receive(Places.toReceive(buffers), source, tag, options.timeout()));
    }

    @Override
    public Request<Status> sendReceive(
            DataBuffer send,
            int dest,
            int sendTag,
            DataBuffer receive,
            int source,
            int receiveTag) {
        Envelope to = new Envelope(dest, sendTag, send.byteSize());
        Envelope from = new Envelope(source, receiveTag, receive.byteSize());
        return OperationRequest.unattended(
                messages.sendReceive(send, to, receive, from, options.timeout()));
    }

    /** Claims the communicator; {@link #start} is to follow. */
    private CollectiveSpec begin(String operation) {
        core.enterCollective(operation);
        return collectives.spec();
    }

    private Request<Void> start(CollectiveSpec spec) {
        return start(spec, () -> null);
    }

    private <T> Request<T> start(CollectiveSpec spec, Supplier<T> result) {
        try {
            return OperationRequest.unattended(collectives.start(spec, result));
        } finally {
            core.exitCollective();
        }
    }
}
