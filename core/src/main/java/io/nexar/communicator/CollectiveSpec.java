package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.Neighborhood;
import io.nexar.ReduceOp;
import io.nexar.collective.NeighborParts;
import io.nexar.collective.Topic;
import io.nexar.collective.plan.Operation;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What a caller has asked for: first as it was given, then, once its {@link Shape} has passed it,
 * as a plan needs it. Filled anew for every call, so that a call makes no object of it. To fill it
 * can't fail, and asks nothing: all refusals are the shape's.
 */
final class CollectiveSpec {
    /** Checks what was given for one form of an operation, and says what the plan works on. */
    interface Shape {
        /**
         * @throws IllegalArgumentException naming the value and the rule
         */
        void check(CollectiveSpec spec, int rank, int size);
    }

    private Operation operation = Operation.BARRIER;
    Shape shape = MovingShapes::barrier;
    private String name = "";
    private int root;
    @Nullable DataBuffer send;
    @Nullable DataBuffer receive;
    private @Nullable List<DataBuffer> buffers;
    private @Nullable ReduceOp reduction;
    private long @Nullable [] sendCounts;
    private long @Nullable [] receiveCounts;

    private @Nullable DataBuffer input;
    private @Nullable DataBuffer output;
    private long count;
    private long @Nullable [] shares;
    private long @Nullable [] countsTo;
    private long @Nullable [] countsFrom;
    private Surround surround = Surround.NOTHING;
    private @Nullable Neighborhood neighborhood;
    private List<DataBuffer> sendParts = List.of();
    private List<DataBuffer> receiveParts = List.of();
    private @Nullable NeighborParts parts;
    private @Nullable Topic topic;

    private CollectiveSpec form(Operation newOperation, Shape newShape) {
        operation = newOperation;
        shape = newShape;
        name = newOperation.methodName();
        root = 0;
        send = null;
        receive = null;
        buffers = null;
        reduction = null;
        sendCounts = null;
        receiveCounts = null;
        input = null;
        output = null;
        count = 0;
        shares = null;
        countsTo = null;
        countsFrom = null;
        surround = Surround.NOTHING;
        neighborhood = null;
        sendParts = List.of();
        receiveParts = List.of();
        parts = null;
        topic = null;
        return this;
    }

    private CollectiveSpec buffers(@Nullable DataBuffer newSend, @Nullable DataBuffer newReceive) {
        send = newSend;
        receive = newReceive;
        return this;
    }

    private CollectiveSpec by(ReduceOp op) {
        reduction = op;
        return this;
    }

    private CollectiveSpec at(int newRoot) {
        root = newRoot;
        return this;
    }

    private CollectiveSpec counts(
            long @Nullable [] newSendCounts, long @Nullable [] newReceiveCounts) {
        sendCounts = newSendCounts;
        receiveCounts = newReceiveCounts;
        return this;
    }

    // ---- The operations of a communicator, as they are called.

    CollectiveSpec barrier() {
        return form(Operation.BARRIER, MovingShapes::barrier);
    }

    CollectiveSpec broadcast(DataBuffer buffer, int root) {
        return form(Operation.BROADCAST, MovingShapes::broadcast).buffers(buffer, buffer).at(root);
    }

    CollectiveSpec reduce(DataBuffer send, @Nullable DataBuffer receive, ReduceOp op, int root) {
        return form(Operation.REDUCE, ReducingShapes::reduce)
                .buffers(send, receive)
                .by(op)
                .at(root);
    }

    CollectiveSpec allReduce(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return form(Operation.ALL_REDUCE, ReducingShapes::allReduce).buffers(send, receive).by(op);
    }

    CollectiveSpec allReduce(List<DataBuffer> several, ReduceOp op) {
        form(Operation.ALL_REDUCE, FusedBuffers::check).by(op);
        buffers = several;
        return this;
    }

    CollectiveSpec gather(DataBuffer send, @Nullable DataBuffer receive, int root) {
        return form(Operation.GATHER, MovingShapes::gather).buffers(send, receive).at(root);
    }

    CollectiveSpec gather(DataBuffer send, @Nullable DataBuffer receive, long[] counts, int root) {
        return form(Operation.GATHER, UnevenShapes::gather)
                .buffers(send, receive)
                .counts(null, counts)
                .at(root);
    }

    CollectiveSpec scatter(@Nullable DataBuffer send, DataBuffer receive, int root) {
        return form(Operation.SCATTER, MovingShapes::scatter).buffers(send, receive).at(root);
    }

    CollectiveSpec scatter(@Nullable DataBuffer send, long[] counts, DataBuffer receive, int root) {
        return form(Operation.SCATTER, UnevenShapes::scatter)
                .buffers(send, receive)
                .counts(counts, null)
                .at(root);
    }

    CollectiveSpec allGather(DataBuffer send, DataBuffer receive) {
        return form(Operation.ALL_GATHER, MovingShapes::allGather).buffers(send, receive);
    }

    CollectiveSpec allGather(DataBuffer send, DataBuffer receive, long[] counts) {
        return form(Operation.ALL_GATHER, UnevenShapes::allGather)
                .buffers(send, receive)
                .counts(null, counts);
    }

    CollectiveSpec allGather(DataBuffer buffer) {
        return form(Operation.ALL_GATHER, MovingShapes::allGatherInPlace).buffers(buffer, buffer);
    }

    CollectiveSpec reduceScatter(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return form(Operation.REDUCE_SCATTER, ReducingShapes::reduceScatter)
                .buffers(send, receive)
                .by(op);
    }

    CollectiveSpec reduceScatter(DataBuffer send, DataBuffer receive, long[] counts, ReduceOp op) {
        return form(Operation.REDUCE_SCATTER, UnevenShapes::reduceScatter)
                .buffers(send, receive)
                .counts(counts, null)
                .by(op);
    }

    CollectiveSpec reduceScatter(DataBuffer buffer, ReduceOp op) {
        return form(Operation.REDUCE_SCATTER, ReducingShapes::reduceScatterInPlace)
                .buffers(buffer, buffer)
                .by(op);
    }

    CollectiveSpec allToAll(DataBuffer send, DataBuffer receive) {
        return form(Operation.ALL_TO_ALL, MovingShapes::allToAll).buffers(send, receive);
    }

    CollectiveSpec allToAll(
            DataBuffer send, long[] sendCounts, DataBuffer receive, long[] receiveCounts) {
        return form(Operation.ALL_TO_ALL, UnevenShapes::allToAll)
                .buffers(send, receive)
                .counts(sendCounts, receiveCounts);
    }

    CollectiveSpec scan(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return form(Operation.SCAN, ReducingShapes::scan).buffers(send, receive).by(op);
    }

    CollectiveSpec exclusiveScan(DataBuffer send, DataBuffer receive, ReduceOp op) {
        return form(Operation.EXCLUSIVE_SCAN, ReducingShapes::exclusiveScan)
                .buffers(send, receive)
                .by(op);
    }

    CollectiveSpec neighborExchange(DataBuffer send, DataBuffer receive, Neighborhood places) {
        form(Operation.NEIGHBOR_EXCHANGE, NeighborShapes::parts).buffers(send, receive);
        neighborhood = places;
        return this;
    }

    CollectiveSpec neighborExchange(
            List<DataBuffer> send, List<DataBuffer> receive, Neighborhood places) {
        form(Operation.NEIGHBOR_EXCHANGE, NeighborShapes::buffers);
        sendParts = send;
        receiveParts = receive;
        neighborhood = places;
        return this;
    }

    /** The same as a part of something else, which is not taken for the operation itself. */
    CollectiveSpec calledAs(String newName) {
        name = newName;
        return this;
    }

    CollectiveSpec about(Topic newTopic) {
        topic = newTopic;
        return this;
    }

    // ---- What was given.

    Operation operation() {
        return operation;
    }

    /** What the caller called. */
    String name() {
        return name;
    }

    int root() {
        return root;
    }

    DataBuffer send() {
        return given(send, "send buffer");
    }

    DataBuffer receive() {
        return given(receive, "receive buffer");
    }

    List<DataBuffer> buffers() {
        return given(buffers, "list of buffers");
    }

    /** Whether it is about a list of buffers. */
    boolean isFused() {
        return buffers != null;
    }

    /** The root's receive buffer. */
    DataBuffer receiveOnRoot() {
        return givenOnRoot(receive, "receive buffer");
    }

    /** The root's send buffer. */
    DataBuffer sendOnRoot() {
        return givenOnRoot(send, "send buffer");
    }

    /** Who is next to whom; null where that does not matter. */
    @Nullable Neighborhood neighborhood() {
        return neighborhood;
    }

    List<DataBuffer> sendParts() {
        return sendParts;
    }

    List<DataBuffer> receiveParts() {
        return receiveParts;
    }

    ReduceOp op() {
        return given(reduction, "reduction");
    }

    long[] sendCounts() {
        return given(sendCounts, "counts");
    }

    long[] receiveCounts() {
        return given(receiveCounts, "counts");
    }

    private <T> T given(@Nullable T value, String what) {
        if (value == null) {
            throw new NullPointerException(name + " without a " + what);
        }
        return value;
    }

    private DataBuffer givenOnRoot(@Nullable DataBuffer buffer, String what) {
        if (buffer == null) {
            throw new IllegalArgumentException(
                    "%s without a %s on its root %d; only other ranks may leave it out"
                            .formatted(name, what, root));
        }
        return buffer;
    }

    // ---- What the plan works on.

    /** Checks it for this rank. */
    void check(int rank, int size) {
        shape.check(this, rank, size);
    }

    /**
     * Says what the plan calls INPUT and OUTPUT.
     *
     * @param newInput null if it has none on this rank
     * @param newOutput null if it has none on this rank
     * @param newCount elements of the whole vector; of an allToAll, those that a rank has for all
     */
    CollectiveSpec moves(
            @Nullable DataBuffer newInput, @Nullable DataBuffer newOutput, long newCount) {
        input = newInput;
        output = newOutput;
        count = newCount;
        return this;
    }

    /** Says how many elements each share has, where they are not as even as can be. */
    void inShares(long[] newShares) {
        shares = newShares;
    }

    /** Says what this rank has for each and gets from each, where others don't know. */
    void inPairs(long[] to, long[] from) {
        countsTo = to;
        countsFrom = from;
    }

    /** Says what neighbours exchange, part by part. */
    void exchanges(NeighborParts newParts) {
        parts = newParts;
    }

    @Nullable NeighborParts parts() {
        return parts;
    }

    /** Says what is to be done beside the plan. */
    void within(Surround newSurround) {
        surround = newSurround;
    }

    @Nullable DataBuffer input() {
        return input;
    }

    @Nullable DataBuffer output() {
        return output;
    }

    long count() {
        return count;
    }

    @Nullable ReduceOp reduction() {
        return reduction;
    }

    long @Nullable [] shares() {
        return shares;
    }

    long @Nullable [] countsTo() {
        return countsTo;
    }

    long @Nullable [] countsFrom() {
        return countsFrom;
    }

    Surround surround() {
        return surround;
    }

    @Nullable Topic topic() {
        return topic;
    }

    /** A buffer that shows the element type; null where there are no elements. */
    @Nullable DataBuffer typed() {
        return input != null ? input : output;
    }
}
