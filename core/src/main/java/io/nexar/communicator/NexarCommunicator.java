package io.nexar.communicator;

import io.nexar.Algorithm;
import io.nexar.AsyncCommunicator;
import io.nexar.Communicator;
import io.nexar.CompressionReport;
import io.nexar.CompressionState;
import io.nexar.DataBuffer;
import io.nexar.IncomingMessage;
import io.nexar.MemberId;
import io.nexar.Neighborhood;
import io.nexar.PreparingCommunicator;
import io.nexar.ReduceOp;
import io.nexar.Rpc;
import io.nexar.Status;
import io.nexar.fabric.ProbeOperation;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The public communicator: one view, with its options, of a {@link CommunicatorCore}. */
public final class NexarCommunicator implements Communicator {
    private final CommunicatorCore core;
    private final ViewOptions options;
    private final Messages messages;
    private final Collectives collectives;
    private final Children children;
    private final ObjectCalls objects;
    private final CompressedCalls compressed;
    private final AsyncCommunicator async;

    public NexarCommunicator(CommunicatorCore core, Duration timeout) {
        this(core, new ViewOptions(timeout, Algorithm.AUTO));
    }

    private NexarCommunicator(CommunicatorCore core, ViewOptions options) {
        this.core = core;
        this.options = options;
        this.messages = new Messages(core);
        this.collectives = new Collectives(core, options);
        // What the view forces is meant for the operations of its kind.
        Collectives own = new Collectives(core, options.withAlgorithm(Algorithm.AUTO));
        this.children = new Children(core, own);
        this.objects = new ObjectCalls(core, options, messages, own);
        this.compressed = new CompressedCalls(core, own);
        this.async = new NexarAsyncCommunicator(core, options, messages, collectives, compressed);
    }

    @Override
    public String name() {
        return core.name();
    }

    @Override
    public int rank() {
        return core.rank();
    }

    @Override
    public int size() {
        return core.size();
    }

    @Override
    public MemberId member(int rank) {
        return core.member(rank);
    }

    @Override
    public long epoch() {
        return core.epoch();
    }

    @Override
    public void barrier() {
        run(begin("barrier").barrier());
    }

    @Override
    public void broadcast(DataBuffer buffer, int root) {
        run(begin("broadcast").broadcast(buffer, root));
    }

    @Override
    public void allReduce(DataBuffer buffer, ReduceOp op) {
        allReduce(buffer, buffer, op);
    }

    @Override
    public void allReduce(DataBuffer send, DataBuffer receive, ReduceOp op) {
        run(begin("allReduce").allReduce(send, receive, op));
    }

    @Override
    public void allGather(DataBuffer send, DataBuffer receive) {
        run(begin("allGather").allGather(send, receive));
    }

    @Override
    public void allGather(DataBuffer send, DataBuffer receive, long[] counts) {
        run(begin("allGather").allGather(send, receive, counts));
    }

    @Override
    public void allGather(DataBuffer buffer) {
        run(begin("allGather").allGather(buffer));
    }

    @Override
    public void reduceScatter(DataBuffer send, DataBuffer receive, ReduceOp op) {
        run(begin("reduceScatter").reduceScatter(send, receive, op));
    }

    @Override
    public void reduceScatter(DataBuffer send, DataBuffer receive, long[] counts, ReduceOp op) {
        run(begin("reduceScatter").reduceScatter(send, receive, counts, op));
    }

    @Override
    public DataBuffer reduceScatter(DataBuffer buffer, ReduceOp op) {
        run(begin("reduceScatter").reduceScatter(buffer, op));
        return Arguments.share(buffer, core.rank(), core.size(), op.itemWidth());
    }

    @Override
    public void reduce(DataBuffer send, @Nullable DataBuffer receive, ReduceOp op, int root) {
        run(begin("reduce").reduce(send, receive, op, root));
    }

    @Override
    public void allReduce(List<DataBuffer> buffers, ReduceOp op) {
        if (!buffers.isEmpty()) {
            run(begin("allReduce").allReduce(buffers, op));
        }
    }

    @Override
    public void gather(DataBuffer send, @Nullable DataBuffer receive, int root) {
        run(begin("gather").gather(send, receive, root));
    }

    @Override
    public void gather(DataBuffer send, @Nullable DataBuffer receive, long[] counts, int root) {
        run(begin("gather").gather(send, receive, counts, root));
    }

    @Override
    public void scatter(@Nullable DataBuffer send, DataBuffer receive, int root) {
        run(begin("scatter").scatter(send, receive, root));
    }

    @Override
    public void scatter(@Nullable DataBuffer send, long[] counts, DataBuffer receive, int root) {
        run(begin("scatter").scatter(send, counts, receive, root));
    }

    @Override
    public void allToAll(DataBuffer send, DataBuffer receive) {
        run(begin("allToAll").allToAll(send, receive));
    }

    @Override
    public void allToAll(
            DataBuffer send, long[] sendCounts, DataBuffer receive, long[] receiveCounts) {
        run(begin("allToAll").allToAll(send, sendCounts, receive, receiveCounts));
    }

    @Override
    public void scan(DataBuffer send, DataBuffer receive, ReduceOp op) {
        run(begin("scan").scan(send, receive, op));
    }

    @Override
    public void exclusiveScan(DataBuffer send, DataBuffer receive, ReduceOp op) {
        run(begin("exclusiveScan").exclusiveScan(send, receive, op));
    }

    @Override
    public void neighborExchange(DataBuffer send, DataBuffer receive, Neighborhood neighborhood) {
        run(begin("neighborExchange").neighborExchange(send, receive, neighborhood));
    }

    @Override
    public void neighborExchange(
            List<DataBuffer> send, List<DataBuffer> receive, Neighborhood neighborhood) {
        run(begin("neighborExchange").neighborExchange(send, receive, neighborhood));
    }

    @Override
    public CompressionReport allReduceCompressed(
            DataBuffer buffer, ReduceOp op, CompressionState state) {
        return claimed(
                CompressedCalls.NAME, () -> compressed.start(buffer, op, state, true).await());
    }

    @Override
    public void send(DataBuffer buffer, int dest, int tag) {
        messages.send(Places.of(buffer), dest, tag, options.timeout()).await();
    }

    @Override
    public Status receive(DataBuffer buffer, int source, int tag) {
        return messages.receiveNow(Places.toReceive(buffer), source, tag, options.timeout());
    }

    @Override
    public void send(List<DataBuffer> buffers, int dest, int tag) {
        messages.send(Places.of(buffers), dest, tag, options.timeout()).await();
    }

    @Override
    public Status receive(List<DataBuffer> buffers, int source, int tag) {
        return messages.receiveNow(Places.toReceive(buffers), source, tag, options.timeout());
    }

    @Override
    public Status probe(int source, int tag) {
        return messages.probe(source, tag, false, options.timeout()).await().status();
    }

    @Override
    public Optional<Status> tryProbe(int source, int tag) {
        return messages.tryProbe(source, tag, false).map(ProbeOperation::status);
    }

    @Override
    public IncomingMessage match(int source, int tag) {
        return matched(messages.probe(source, tag, true, options.timeout()).await());
    }

    @Override
    public Optional<IncomingMessage> tryMatch(int source, int tag) {
        return messages.tryProbe(source, tag, true).map(this::matched);
    }

    private IncomingMessage matched(ProbeOperation taker) {
        return new MatchedMessage(messages, taker, options.timeout());
    }

    @Override
    public Status sendReceive(
            DataBuffer send,
            int dest,
            int sendTag,
            DataBuffer receive,
            int source,
            int receiveTag) {
        Envelope to = new Envelope(dest, sendTag, send.byteSize());
        Envelope from = new Envelope(source, receiveTag, receive.byteSize());
        return messages.sendReceive(send, to, receive, from, options.timeout()).await();
    }

    @Override
    public <T> void sendObject(T value, int dest, int tag) {
        objects.send(value, dest, tag);
    }

    @Override
    public <T> T receiveObject(Class<T> type, int source, int tag) {
        return objects.receive(type, source, tag);
    }

    @Override
    public <T> T broadcastObject(@Nullable T value, Class<T> type, int root) {
        return claimed("broadcastObject", () -> objects.broadcast(value, type, root));
    }

    @Override
    public <T> List<T> gatherObjects(T value, Class<T> type, int root) {
        return claimed("gatherObjects", () -> objects.gather(value, type, root));
    }

    @Override
    public <T> List<T> allGatherObjects(T value, Class<T> type) {
        return claimed("allGatherObjects", () -> objects.allGather(value, type));
    }

    @Override
    public AsyncCommunicator async() {
        return async;
    }

    @Override
    public PreparingCommunicator prepare() {
        return new NexarPreparingCommunicator(core, options);
    }

    @Override
    public Communicator withTimeout(Duration timeout) {
        return new NexarCommunicator(core, options.withTimeout(timeout));
    }

    @Override
    public Communicator withAlgorithm(Algorithm algorithm) {
        return new NexarCommunicator(core, options.withAlgorithm(algorithm));
    }

    /**
     * How the last collective of this view moved its data, whether that was forced or chosen: for
     * tools. To be asked by the thread that called it, after the call.
     *
     * @return never AUTO; null before the first collective
     */
    public @Nullable Algorithm lastAlgorithm() {
        return collectives.lastAlgorithm();
    }

    @Override
    public Optional<Communicator> split(int color, int key) {
        return make("split", () -> children.split(color, key));
    }

    @Override
    public Communicator splitByHost() {
        return make("splitByHost", () -> Optional.of(children.splitByHost())).orElseThrow();
    }

    @Override
    public Communicator duplicate() {
        return make("duplicate", () -> Optional.of(children.duplicate())).orElseThrow();
    }

    @Override
    public void close() {
        core.close();
    }

    @Override
    public String toString() {
        return core.name() + " (rank " + core.rank() + " of " + core.size() + ")";
    }

    /** Claims the communicator; {@link #run} is to follow. */
    private CollectiveSpec begin(String operation) {
        core.enterCollective(operation);
        return collectives.spec();
    }

    private void run(CollectiveSpec spec) {
        try {
            collectives.run(spec);
        } finally {
            core.exitCollective();
        }
    }

    /** A child has the options of the view that it was made from. */
    private Optional<Communicator> make(
            String operation, Supplier<Optional<CommunicatorCore>> how) {
        return claimed(operation, how).map(child -> new NexarCommunicator(child, options));
    }

    private <T> T claimed(String operation, Supplier<T> how) {
        core.enterCollective(operation);
        try {
            return how.get();
        } finally {
            core.exitCollective();
        }
    }

    // ---- What this version does not do yet.

    @Override
    public Rpc rpc() {
        throw Unreached.operation("rpc");
    }

    @Override
    public void revoke() {
        throw Unreached.operation("revoke");
    }

    @Override
    public long agree(long value) {
        throw Unreached.operation("agree");
    }

    @Override
    public Communicator shrink() {
        throw Unreached.operation("shrink");
    }
}
