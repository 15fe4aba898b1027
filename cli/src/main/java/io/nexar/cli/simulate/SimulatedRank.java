package io.nexar.cli.simulate;

import io.nexar.cli.simulate.Simulation.Piece;
import io.nexar.collective.plan.Plan;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/** What one rank of a {@link Simulation} has done, can do, and waits for. */
final class SimulatedRank {
    private final Plan plan;
    private final int inFlight;
    private final long stride;
    private final PriorityQueue<Piece> ready = new PriorityQueue<>(inOrder());

    /** What has come before its step was ready, or its slice had begun: pieces by step. */
    private final Map<Piece, Integer> arrived = new HashMap<>();

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
    }

    /** As the engine orders what it sends: by round, staggered by slice. */
    private Comparator<Piece> inOrder() {
        return Comparator.comparingLong((Piece piece) ->
                        piece.slice() * stride() + plan().step(piece.step()).round())
                .thenComparingLong(Piece::slice)
                .thenComparingInt(Piece::step);
    }

    private long stride() {
        return stride;
    }

    private Plan plan() {
        return plan;
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

    void begin(SliceShape newShape) {
        shape = newShape;
        slicesLeft = plan.stepCount() == 0 ? 0 : shape.slices();
        beginSlices();
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

    /** The step may run: what it has pieces for can be worked on. */
    private void makeReady(Piece piece) {
        int pieces =
                step(piece).isReceive() ? arrived.getOrDefault(piece, 0) : piecesLeft[place(piece)];
        arrived.remove(piece);
        for (int i = 0; i < pieces; i++) {
            ready.add(piece);
        }
    }

    void arrive(Piece piece) {
        boolean hasBegun = piece.slice() < nextSlice;
        if (hasBegun && waiting[place(piece)] == 0) {
            ready.add(piece);
        } else {
            arrived.merge(piece, 1, Integer::sum);
        }
    }

    boolean hasWork() {
        return !ready.isEmpty();
    }

    Piece takeWork() {
        isWorking = true;
        return ready.remove();
    }

    void finish(Piece piece) {
        isWorking = false;
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
