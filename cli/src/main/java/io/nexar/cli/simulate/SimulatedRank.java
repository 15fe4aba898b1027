package io.nexar.cli.simulate;

import io.nexar.cli.simulate.SimulatedCache.Block;
import io.nexar.cli.simulate.Simulation.Doing;
import io.nexar.cli.simulate.Simulation.Piece;
import io.nexar.cli.simulate.Simulation.Task;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;

/** What one rank of a {@link Simulation} can do, in which order, in one call after the other. */
final class SimulatedRank {
    private final int number;
    private final List<SimulatedCall> calls = new ArrayList<>();
    private final PriorityQueue<Task> ready = new PriorityQueue<>(inOrder());

    /** When each call began and was over. */
    private final List<Double> beginNanos = new ArrayList<>();

    private final List<Double> endNanos = new ArrayList<>();

    private @Nullable SimulatedCore core;
    private int seat;

    SimulatedRank(int number) {
        this.number = number;
    }

    /**
     * It works on that core.
     *
     * @param atSeat among the ranks there
     */
    void sit(SimulatedCore on, int atSeat) {
        core = on;
        seat = atSeat;
    }

    SimulatedCore core() {
        return Objects.requireNonNull(core);
    }

    int seat() {
        return seat;
    }

    /**
     * As the engine does it: what is possible on its own memory at once, then what it hears back
     * and what it can send, before the next pass takes in what has come.
     */
    private Comparator<Task> inOrder() {
        return Comparator.comparing(Task::doing)
                .thenComparingInt(task -> task.piece().call())
                .thenComparingLong(task -> call(task.piece()).order(task.piece()))
                .thenComparingLong(task -> task.piece().slice())
                .thenComparingInt(task -> task.piece().step());
    }

    /** It makes one more call, after the others. */
    void add(Plan plan, SliceShape shape, int inFlight) {
        int next = calls.size();
        calls.add(new SimulatedCall(next, plan, shape, inFlight, this::makeReady));
        if (next == 0) {
            ready.add(new Task(Doing.BEGIN, new Piece(0, 0, 0)));
        }
    }

    int number() {
        return number;
    }

    private SimulatedCall call(Piece piece) {
        return calls.get(piece.call());
    }

    Plan.Step step(Piece piece) {
        return call(piece).plan().step(piece.step());
    }

    /** How many the plan of its call has. */
    int steps(Piece piece) {
        return call(piece).plan().stepCount();
    }

    int ordinal(Piece piece) {
        return call(piece).plan().ordinal(piece.step());
    }

    /** The step that takes in a piece of a peer's. */
    Piece received(int peer, Piece sent, int ordinal) {
        int step = call(sent).plan().receiveStep(peer, ordinal);
        return new Piece(sent.call(), sent.slice(), step);
    }

    /** What it costs besides to read what a piece is of an owner's memory. */
    double readNanos(SimulatedRank owner, Piece piece, Range range) {
        double nanos = 0;
        for (Block block : call(piece).blocks(owner.number, piece, range)) {
            nanos += core().memory().readNanos(core().number(), block, call(piece).shareBytes());
        }
        return nanos;
    }

    /** What it costs besides to write what a piece is of this rank's memory. */
    double writeNanos(Piece piece, Range range) {
        double nanos = 0;
        for (Block block : call(piece).blocks(number, piece, range)) {
            nanos += write(block, call(piece).shareBytes());
        }
        return nanos;
    }

    /** What it costs this rank besides to write a block. */
    double write(Block block, double bytes) {
        return core().memory().writeNanos(core().number(), block, bytes);
    }

    double pieceBytes(Piece piece) {
        return call(piece).pieceBytes(piece);
    }

    /** From its own beginning of a call to its end. */
    double callNanos(int call) {
        if (call >= endNanos.size()) {
            throw new IllegalStateException(
                    "rank %d stands still with %d slices left"
                            .formatted(number, calls.get(call).slicesLeft()));
        }
        return endNanos.get(call) - beginNanos.get(call);
    }

    /** The step may run: on what there is of it. */
    private void makeReady(Piece piece) {
        Plan.Step step = step(piece);
        Doing doing = step.isReceive() ? Doing.USE_HELD : step.isLocal() ? Doing.WORK : Doing.SEND;
        int pieces = call(piece).takePieces(piece);
        for (int i = 0; i < pieces; i++) {
            ready.add(new Task(doing, piece));
        }
    }

    /** A piece has come, which a step of the sender has sent. */
    void arrive(Piece piece, int sendStep) {
        call(piece).receiveFrom(sendStep, piece);
        ready.add(new Task(Doing.TAKE_IN, piece));
    }

    /** A receiver is done with a piece that was lent to it. */
    void hearBack(Piece piece) {
        ready.add(new Task(Doing.HEAR_BACK, piece));
    }

    Piece sent(Piece received) {
        return call(received).sent(received);
    }

    boolean hasWork() {
        return !ready.isEmpty();
    }

    /** What comes too early is held. */
    Task takeWork(double nowNanos) {
        Task task = ready.remove();
        Piece piece = task.piece();
        if (task.doing() == Doing.BEGIN) {
            beginNanos.add(nowNanos);
        }
        boolean isEarly = task.doing() == Doing.TAKE_IN && !call(piece).isReady(piece);
        return isEarly ? new Task(Doing.HOLD, piece) : task;
    }

    /** A task is over; of a piece that is lent or held, not yet the piece. */
    void finish(Task task, boolean isLent, double nowNanos) {
        SimulatedCall call = call(task.piece());
        if (task.doing() == Doing.BEGIN) {
            call.beginSlices();
        } else if (task.doing() == Doing.HOLD) {
            call.hold(task.piece());
        } else if (!(task.doing() == Doing.SEND && isLent)) {
            call.finish(task.piece());
        }
        if (task.piece().call() == endNanos.size() && call.isOver()) {
            endNanos.add(nowNanos);
            if (endNanos.size() < calls.size()) {
                ready.add(new Task(Doing.BEGIN, new Piece(endNanos.size(), 0, 0)));
            }
        }
    }
}
