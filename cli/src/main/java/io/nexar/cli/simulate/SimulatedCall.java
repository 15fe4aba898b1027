package io.nexar.cli.simulate;

import io.nexar.cli.simulate.SimulatedCache.Block;
import io.nexar.cli.simulate.Simulation.Piece;
import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A call of one rank in a {@link Simulation}: which of its steps are done, and which may run. */
final class SimulatedCall {
    private final int number;
    private final Plan plan;
    private final SliceShape shape;
    private final int inFlight;
    private final Consumer<Piece> onReady;

    /** What was taken in before its step was ready, or its slice had begun: pieces by step. */
    private final Map<Piece, Integer> held = new HashMap<>();

    /** For each receive, the sender's step. */
    private final int[] sendOfReceive;

    /** By slice in flight and step. */
    private final int[] waiting;

    private final int[] piecesLeft;
    private final int[] stepsLeft;
    private long nextSlice;
    private long slicesLeft;

    /**
     * @param number among its rank's calls
     * @param onReady hears which steps of which slices may run
     */
    SimulatedCall(int number, Plan plan, SliceShape shape, int inFlight, Consumer<Piece> onReady) {
        this.number = number;
        this.plan = plan;
        this.shape = shape;
        this.inFlight = inFlight;
        this.onReady = onReady;
        this.waiting = new int[inFlight * plan.stepCount()];
        this.piecesLeft = new int[inFlight * plan.stepCount()];
        this.stepsLeft = new int[inFlight];
        this.sendOfReceive = new int[plan.stepCount()];
        this.slicesLeft = plan.stepCount() == 0 ? 0 : shape.slices();
    }

    Plan plan() {
        return plan;
    }

    /** The place of a piece in the engine's order: by round, staggered by slice. */
    long order(Piece piece) {
        int round = piece.step() < plan.stepCount() ? plan.step(piece.step()).round() : 0;
        return piece.slice() * Math.ceilDiv(plan.rounds(), inFlight) + round;
    }

    /** What of an owner's memory is the next piece of a step's range. */
    List<Block> blocks(int owner, Piece piece, Range range) {
        int pieces = shape.pieces(plan.step(piece.step()));
        int next = Math.clamp(pieces - piecesLeft[place(piece)], 0, pieces - 1);
        BufferRole buffer = range.buffer();
        long slice = buffer == BufferRole.SCRATCH ? window(piece.slice()) : piece.slice();
        int first = range.slots() * next / pieces;
        int end = range.slots() * (next + 1) / pieces;
        return IntStream.range(first, end)
                .mapToObj(slot -> new Block(owner, buffer, range.firstSlot() + slot, slice))
                .toList();
    }

    /** Of a slot of a slice. */
    double shareBytes() {
        return shape.shareBytes();
    }

    double pieceBytes(Piece piece) {
        return shape.bytesOfPiece(plan.step(piece.step()));
    }

    boolean isOver() {
        return slicesLeft == 0;
    }

    long slicesLeft() {
        return slicesLeft;
    }

    /** Begins as many slices as fit: one needs the place of the one that many before it. */
    void beginSlices() {
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
                onReady.accept(new Piece(number, slice, step));
            }
        }
    }

    /** How many pieces of a step that has become ready can be worked on. */
    int takePieces(Piece piece) {
        int early = held.getOrDefault(piece, 0);
        held.remove(piece);
        return plan.step(piece.step()).isReceive() ? early : piecesLeft[place(piece)];
    }

    /** Which step of the sender it is that a receive takes in. */
    void receiveFrom(int sendStep, Piece piece) {
        sendOfReceive[piece.step()] = sendStep;
    }

    Piece sent(Piece received) {
        return new Piece(number, received.slice(), sendOfReceive[received.step()]);
    }

    boolean isReady(Piece piece) {
        return piece.slice() < nextSlice && waiting[place(piece)] == 0;
    }

    void hold(Piece piece) {
        held.merge(piece, 1, Integer::sum);
    }

    void finish(Piece piece) {
        if (--piecesLeft[place(piece)] > 0) {
            return;
        }
        for (int next : plan.successors(piece.step())) {
            Piece later = new Piece(number, piece.slice(), next);
            if (--waiting[place(later)] == 0) {
                onReady.accept(later);
            }
        }
        if (--stepsLeft[window(piece.slice())] == 0) {
            slicesLeft--;
            beginSlices();
        }
    }

    private int window(long slice) {
        return (int) (slice % inFlight);
    }

    private int place(Piece piece) {
        return window(piece.slice()) * plan.stepCount() + piece.step();
    }
}
