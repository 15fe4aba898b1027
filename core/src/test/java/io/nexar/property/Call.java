package io.nexar.property;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.PreparedCollective;
import io.nexar.ReduceOp;
import io.nexar.Request;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Makes a case's call on one rank, in each of the ways that there are. */
record Call(
        Case made,
        Communicator communicator,
        @Nullable DataBuffer send,
        @Nullable DataBuffer receive) {
    /** How a call is made. */
    enum Way {
        BLOCKING,
        ASYNC,
        /** Bound first, and then started. */
        PREPARED
    }

    /** Returns when it is over, with where the result lies. */
    @Nullable DataBuffer run() throws InterruptedException {
        Object result =
                switch (made.way()) {
                    case BLOCKING -> callAndWait();
                    case ASYNC -> startAsync().await();
                    case PREPARED -> prepare().start().await();
                };
        if (result instanceof DataBuffer share) {
            return share;
        }
        int rank = communicator.rank();
        return made.form() == Form.REDUCE_SCATTER_ONE
                ? in().slice(made.offset(rank), made.outputCount(rank))
                : receive;
    }

    private @Nullable DataBuffer callAndWait() {
        Communicator all = communicator;
        ReduceOp op = op();
        int root = made.root();
        int rank = all.rank();
        switch (made.form()) {
            case BROADCAST -> all.broadcast(in(), root);
            case REDUCE -> all.reduce(in(), receive, op, root);
            case ALL_REDUCE -> {
                if (send == receive) {
                    all.allReduce(in(), op);
                } else {
                    all.allReduce(in(), out(), op);
                }
            }
            case ALL_REDUCE_LIST -> all.allReduce(list(), op);
            case GATHER -> all.gather(in(), receive, root);
            case GATHER_UNEVEN -> all.gather(in(), receive, made.shares(), root);
            case SCATTER -> all.scatter(send, out(), root);
            case SCATTER_UNEVEN -> all.scatter(send, made.shares(), out(), root);
            case ALL_GATHER -> all.allGather(in(), out());
            case ALL_GATHER_UNEVEN -> all.allGather(in(), out(), made.shares());
            case ALL_GATHER_ONE -> all.allGather(out());
            case REDUCE_SCATTER -> all.reduceScatter(in(), out(), op);
            case REDUCE_SCATTER_UNEVEN -> all.reduceScatter(in(), out(), made.shares(), op);
            case REDUCE_SCATTER_ONE -> {
                return all.reduceScatter(in(), op);
            }
            case ALL_TO_ALL -> all.allToAll(in(), out());
            case ALL_TO_ALL_UNEVEN ->
                    all.allToAll(in(), made.sendCounts(rank), out(), made.receiveCounts(rank));
            case SCAN -> all.scan(in(), out(), op);
            case EXCLUSIVE_SCAN -> all.exclusiveScan(in(), out(), op);
        }
        return null;
    }

    private Request<?> startAsync() {
        var all = communicator.async();
        ReduceOp op = op();
        int root = made.root();
        int rank = communicator.rank();
        return switch (made.form()) {
            case BROADCAST -> all.broadcast(in(), root);
            case REDUCE -> all.reduce(in(), receive, op, root);
            case ALL_REDUCE ->
                    send == receive ? all.allReduce(in(), op) : all.allReduce(in(), out(), op);
            case ALL_REDUCE_LIST -> all.allReduce(list(), op);
            case GATHER -> all.gather(in(), receive, root);
            case GATHER_UNEVEN -> all.gather(in(), receive, made.shares(), root);
            case SCATTER -> all.scatter(send, out(), root);
            case SCATTER_UNEVEN -> all.scatter(send, made.shares(), out(), root);
            case ALL_GATHER -> all.allGather(in(), out());
            case ALL_GATHER_UNEVEN -> all.allGather(in(), out(), made.shares());
            case ALL_GATHER_ONE -> all.allGather(out());
            case REDUCE_SCATTER -> all.reduceScatter(in(), out(), op);
            case REDUCE_SCATTER_UNEVEN -> all.reduceScatter(in(), out(), made.shares(), op);
            case REDUCE_SCATTER_ONE -> all.reduceScatter(in(), op);
            case ALL_TO_ALL -> all.allToAll(in(), out());
            case ALL_TO_ALL_UNEVEN ->
                    all.allToAll(in(), made.sendCounts(rank), out(), made.receiveCounts(rank));
            case SCAN -> all.scan(in(), out(), op);
            case EXCLUSIVE_SCAN -> all.exclusiveScan(in(), out(), op);
        };
    }

    private PreparedCollective prepare() {
        var all = communicator.prepare();
        ReduceOp op = op();
        int root = made.root();
        int rank = communicator.rank();
        return switch (made.form()) {
            case BROADCAST -> all.broadcast(in(), root);
            case REDUCE -> all.reduce(in(), receive, op, root);
            case ALL_REDUCE ->
                    send == receive ? all.allReduce(in(), op) : all.allReduce(in(), out(), op);
            case ALL_REDUCE_LIST -> all.allReduce(list(), op);
            case GATHER -> all.gather(in(), receive, root);
            case GATHER_UNEVEN -> all.gather(in(), receive, made.shares(), root);
            case SCATTER -> all.scatter(send, out(), root);
            case SCATTER_UNEVEN -> all.scatter(send, made.shares(), out(), root);
            case ALL_GATHER -> all.allGather(in(), out());
            case ALL_GATHER_UNEVEN -> all.allGather(in(), out(), made.shares());
            case ALL_GATHER_ONE -> all.allGather(out());
            case REDUCE_SCATTER -> all.reduceScatter(in(), out(), op);
            case REDUCE_SCATTER_UNEVEN -> all.reduceScatter(in(), out(), made.shares(), op);
            case REDUCE_SCATTER_ONE -> all.reduceScatter(in(), op);
            case ALL_TO_ALL -> all.allToAll(in(), out());
            case ALL_TO_ALL_UNEVEN ->
                    all.allToAll(in(), made.sendCounts(rank), out(), made.receiveCounts(rank));
            case SCAN -> all.scan(in(), out(), op);
            case EXCLUSIVE_SCAN -> all.exclusiveScan(in(), out(), op);
        };
    }

    /** The buffers of a list lie one behind the other. */
    private List<DataBuffer> list() {
        List<DataBuffer> buffers = new ArrayList<>();
        IntStream.range(0, made.counts().size())
                .forEach(i -> buffers.add(in().slice(made.offset(i), made.counts().get(i))));
        return buffers;
    }

    private ReduceOp op() {
        Reduction reduction = made.reduction();
        return reduction == null ? ReduceOp.SUM : reduction.op();
    }

    private DataBuffer in() {
        return Objects.requireNonNull(send, "this rank has no input");
    }

    private DataBuffer out() {
        return Objects.requireNonNull(receive, "this rank has no output");
    }
}
