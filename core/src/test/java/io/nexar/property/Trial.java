package io.nexar.property;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.ReduceOp;
import io.nexar.Request;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A case on one rank: its memory, the call, and whether all came out as the oracle says. */
final class Trial {
    private final Case made;
    private final Communicator communicator;
    private final int rank;
    private final @Nullable Area input;
    private final @Nullable Area output;
    private @Nullable DataBuffer send;
    private @Nullable DataBuffer receive;

    Trial(Case made, Communicator communicator) {
        this.made = made;
        this.communicator = communicator.withAlgorithm(made.algorithm());
        this.rank = communicator.rank();
        SplittableRandom random = new SplittableRandom(made.seed() - rank - 1);
        boolean hasPlace = made.isInPlace() && isPlaced();
        Form.Place place = hasPlace ? made.form().place() : Form.Place.NEVER;
        switch (place) {
            case SAME -> {
                long count = Math.max(made.inputCount(rank), made.outputCount(rank));
                input = Area.of(made.type(), count, random);
                input.put(0, made.input(rank));
                output = input;
                send = input.buffer();
                receive = send;
            }
            case IN_OUTPUT -> {
                output = Area.of(made.type(), made.outputCount(rank), random);
                output.put(made.offset(rank), made.input(rank));
                input = output;
                receive = output.buffer();
                send = output.slice(made.offset(rank), made.inputCount(rank));
            }
            case IN_INPUT -> {
                input = Area.holding(made.type(), made.input(rank), random);
                output = input;
                send = input.buffer();
                receive = input.slice(made.offset(rank), made.outputCount(rank));
            }
            default -> {
                input = hasInput() ? Area.holding(made.type(), made.input(rank), random) : null;
                // What is not looked at may well be missing.
                output =
                        hasOutput() || random.nextBoolean()
                                ? Area.of(made.type(), made.outputCount(rank), random)
                                : null;
                send = input == null ? null : input.buffer();
                receive = output == null ? null : output.buffer();
            }
        }
    }

    /**
     * Makes the call and looks at everything.
     *
     * @return what must be equal on all ranks
     */
    int run() throws InterruptedException {
        if (made.isAsync()) {
            Request<?> request = startAsync();
            Object result = request.await();
            receive = result instanceof DataBuffer share ? share : receive;
        } else {
            call();
        }
        verify();
        return made.form().isForAll() && receive != null
                ? Elements.read(receive.segment(), made.type()).hashCode()
                : 0;
    }

    private void verify() {
        String what = "rank " + rank + " of " + made;
        if (input != null) {
            input.requireGuards(what);
        }
        if (output != null && output != input) {
            output.requireGuards(what);
        }
        if (input != null && output != input) {
            input.requireUntouched(what + ": the send buffer");
        }
        if (!hasOutput()) {
            if (output != null && output != input) {
                output.requireUntouched(what + ": a receive buffer that is not looked at");
            } else if (input != null && output == input) {
                input.requireUntouched(what + ": the only buffer");
            }
            return;
        }
        List<Expectation> expected = new Expected(made).at(rank);
        List<Element> actual =
                Elements.read(Objects.requireNonNull(receive).segment(), made.type());
        if (actual.size() != expected.size()) {
            throw new AssertionError(what + ": " + actual.size() + " elements came");
        }
        for (int i = 0; i < actual.size(); i++) {
            if (!expected.get(i).admits(made.type(), actual.get(i))) {
                throw new AssertionError(
                        "%s: element %d is %s, not %s"
                                .formatted(what, i, actual.get(i), expected.get(i)));
            }
        }
    }

    /** Whether this rank has both an input and an output, which can then be one memory. */
    private boolean isPlaced() {
        return made.form() == Form.BROADCAST || hasInput() && hasOutput();
    }

    private boolean hasInput() {
        return switch (made.form()) {
            case BROADCAST, SCATTER, SCATTER_UNEVEN -> rank == made.root();
            default -> true;
        };
    }

    private boolean hasOutput() {
        return switch (made.form()) {
            case REDUCE, GATHER, GATHER_UNEVEN -> rank == made.root();
            default -> true;
        };
    }

    private void call() {
        Communicator all = communicator;
        ReduceOp op = op();
        int root = made.root();
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
            case REDUCE_SCATTER_ONE -> receive = all.reduceScatter(in(), op);
            case ALL_TO_ALL -> all.allToAll(in(), out());
            case ALL_TO_ALL_UNEVEN ->
                    all.allToAll(in(), made.sendCounts(rank), out(), made.receiveCounts(rank));
            case SCAN -> all.scan(in(), out(), op);
            case EXCLUSIVE_SCAN -> all.exclusiveScan(in(), out(), op);
        }
    }

    private Request<?> startAsync() {
        var all = communicator.async();
        ReduceOp op = op();
        int root = made.root();
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
