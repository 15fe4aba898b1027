package io.nexar.cli.simulate;

import io.nexar.cli.simulate.Simulation.Doing;
import io.nexar.cli.simulate.Simulation.Piece;
import io.nexar.cli.simulate.Simulation.Task;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.cost.MemoryTime;
import io.nexar.collective.plan.cost.Touches;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/** What one rank of a {@link Simulation} has done, can do, and waits for. */
final class SimulatedRank {
    private final Plan plan;
    private final int inFlight;
    private final long stride;
    private final PriorityQueue<Task> ready = new PriorityQueue<>(inOrder());

    /** What was taken in before its step was ready, or its slice had begun: pieces by step. */
    private final Map<Piece, Integer> held = new HashMap<>();

    /** For each receive, the sender's step. */
    private final int[] sendOfReceive;

    private final Touches touches;

    /** By slice in flight and step. */
    private final int[] waiting;

    private final int[] piecesLeft;
    private final int[] stepsLeft;
    private SliceShape shape = new SliceShape(0, 0, 1);
    private long nextSlice;
    private long slicesLeft;
    private boolean isWorking;
    private boolean isQueued;

    SimulatedRank(Plan plan, int inFlight) {
        this.plan = plan;
        this.inFlight = inFlight;
        this.stride = Math.ceilDiv(plan.rounds(), inFlight);
        this.waiting = new int[inFlight * plan.stepCount()];
        this.piecesLeft = new int[inFlight * plan.stepCount()];
        this.stepsLeft = new int[inFlight];
        this.sendOfReceive = new int[plan.stepCount()];
        this.touches = Touches.of(plan);
    }

    /**
     * As the engine does it: what is possible on its own memory at once, then what it hears back
     * and what it can send, before the next pass takes in what has come; by round, staggered by
     * slice.
     */
    private Comparator<Task> inOrder() {
        return Comparator.comparing(Task::doing)
                .thenComparingLong(task -> task.piece().slice() * stride() + round(task.piece()))
                .thenComparingLong(task -> task.piece().slice())
                .thenComparingInt(task -> task.piece().step());
    }

    private int round(Piece piece) {
        return piece.step() < plan.stepCount() ? step(piece).round() : 0;
    }

    private long stride() {
        return stride;
    }

    int number() {
        return plan.request().rank();
    }

    Plan.Step step(Piece piece) {
        return plan.step(piece.step());
    }

    int ordinal(Piece piece) {
        return plan.ordinal(piece.step());
    }

    int receiveOf(int peer, int ordinal) {
        return plan.receiveStep(peer, ordinal);
    }

    /** What it costs to get to what a piece is in this rank's memory. */
    double memoryNanos(Piece piece, MemoryTime memory) {
        int step = piece.step();
        double shareBytes = shape.shareBytes() / shape.pieces(step(piece));
        return memory.nanos(touches.fresh()[step], touches.again()[step], shareBytes);
    }

    double pieceBytes(Piece piece) {
        return shape.bytesOfPiece(step(piece));
    }

    boolean isWorking() {
        return isWorking;
    }

    boolean isQueued() {
        return isQueued;
    }

    void queued(boolean queued) {
        isQueued = queued;
    }

    /** It is about to make its call. */
    void prepare(SliceShape newShape) {
        shape = newShape;
        slicesLeft = plan.stepCount() == 0 ? 0 : shape.slices();
        ready.add(new Task(Doing.BEGIN, new Piece(0, 0)));
    }

    /** As many as fit: a slice needs the place of the one that many before it. */
    private void beginSlices() {
        while (slicesLeft > 0 && nextSlice < shape.slices() && stepsLeft[window(nextSlice)] == 0) {
            beginSlice(nextSlice++);
        }
    }

    private void beginSlice(long slice) {
        int window = window(slice);
        stepsLeft[window] = plan.stepCount();
        for (int step = 0; step < plan.stepCount(); step++) {
            int place = window * plan.stepCount() + step;
            waiting[place] = plan.predecessors(step).length;
            piecesLeft[place] = shape.pieces(plan.step(step));
            if (waiting[place] == 0) {
                makeReady(new Piece(slice, step));
            }
        }
    }

    /** The step may run: on what there is of it. */
    private void makeReady(Piece piece) {
        Plan.Step step = step(piece);
        int pieces = step.isReceive() ? held.getOrDefault(piece, 0) : piecesLeft[place(piece)];
        held.remove(piece);
        Doing doing = step.isReceive() ? Doing.USE_HELD : step.isLocal() ? Doing.WORK : Doing.SEND;
        for (int i = 0; i < pieces; i++) {
            ready.add(new Task(doing, piece));
        }
    }

    /** A piece has come, which a step of the sender has sent. */
    void arrive(Piece piece, int sendStep) {
        sendOfReceive[piece.step()] = sendStep;
        ready.add(new Task(Doing.TAKE_IN, piece));
    }

    /** A receiver is done with a piece that was lent to it. */
    void hearBack(Piece piece) {
        ready.add(new Task(Doing.HEAR_BACK, piece));
    }

    Piece sent(Piece received) {
        return new Piece(received.slice(), sendOfReceive[received.step()]);
    }

    boolean hasWork() {
        return !ready.isEmpty();
    }

    /** What comes too early is held. */
    Task takeWork() {
        isWorking = true;
        Task task = ready.remove();
        boolean isEarly = task.doing() == Doing.TAKE_IN && !isReady(task.piece());
        return isEarly ? new Task(Doing.HOLD, task.piece()) : task;
    }

    private boolean isReady(Piece piece) {
        return piece.slice() < nextSlice && waiting[place(piece)] == 0;
    }

    /** A task is over; of a piece that is lent or held, not yet the piece. */
    void finish(Task task, boolean isLent) {
        isWorking = false;
        if (task.doing() == Doing.BEGIN) {
            beginSlices();
        } else if (task.doing() == Doing.HOLD) {
            held.merge(task.piece(), 1, Integer::sum);
        } else if (!(task.doing() == Doing.SEND && isLent)) {
            finish(task.piece());
        }
    }

    private void finish(Piece piece) {
        if (--piecesLeft[place(piece)] > 0) {
            return;
        }
        for (int next : plan.successors(piece.step())) {
            Piece later = new Piece(piece.slice(), next);
            if (--waiting[place(later)] == 0) {
                makeReady(later);
            }
        }
        if (--stepsLeft[window(piece.slice())] == 0) {
            slicesLeft--;
            beginSlices();
        }
    }

    void requireDone() {
        if (slicesLeft > 0) {
            throw new IllegalStateException(
                    "rank %d stands still with %d slices left".formatted(number(), slicesLeft));
        }
    }

    private int window(long slice) {
        return (int) (slice % inFlight);
    }

    private int place(Piece piece) {
        return window(piece.slice()) * plan.stepCount() + piece.step();
    }
}
