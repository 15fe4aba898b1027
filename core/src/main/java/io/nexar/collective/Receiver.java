package io.nexar.collective;

import io.nexar.ProtocolException;
import io.nexar.fabric.PieceLane;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Takes arriving pieces to their places: at once if their step is ready, else when it becomes
 * ready. A piece's credit goes back when it has been consumed, so that what a peer can make us hold
 * is bounded.
 */
final class Receiver {
    private final PieceLane lane;
    private final Schedule schedule;
    private final Consumer<RuntimeException> breakDown;
    private final HeldPieces held;
    private final int creditPieces;

    /** Whether a link was told that the piece it is about to show is read where it lies. */
    private boolean isReadInPlace;

    Receiver(
            PieceLane lane,
            Schedule schedule,
            Consumer<RuntimeException> breakDown,
            HeldPieces held,
            int creditPieces) {
        this.lane = lane;
        this.schedule = schedule;
        this.breakDown = breakDown;
        this.held = held;
        this.creditPieces = creditPieces;
    }

    /** Takes a piece of a call that is under way. */
    void handlePiece(int peer, Execution execution, FrameHeader header, MemorySegment payload) {
        int step = requireStep(peer, execution, header);
        SliceRun run = execution.run(header.offset());
        if (run == null && header.offset() < execution.nextSlice()) {
            throw broken(peer, header, "belongs to a slice that is over");
        }
        if (run == null || !run.isReady(step)) {
            hold(peer, header, payload);
            return;
        }
        requireNext(peer, run, step, header);
        consume(peer, run, step, payload);
    }

    /** Where a piece of a call that is under way is to go; null if it is to be shown. */
    @Nullable MemorySegment destination(int peer, Execution execution, FrameHeader header) {
        SliceRun run = awaiting(peer, execution, header);
        return run == null
                ? null
                : StepWork.destination(
                        run,
                        run.step(execution.plan().receiveStep(peer, header.tag())),
                        header.fragment());
    }

    /** Whether a piece of a call that is under way would be consumed at once. */
    boolean isAwaited(int peer, Execution execution, FrameHeader header) {
        isReadInPlace = awaiting(peer, execution, header) != null;
        return isReadInPlace;
    }

    /** The slice that waits for exactly this piece; null if none does. */
    private static @Nullable SliceRun awaiting(int peer, Execution execution, FrameHeader header) {
        if (findFault(execution, peer, header) != null) {
            return null;
        }
        int step = execution.plan().receiveStep(peer, header.tag());
        SliceRun run = execution.run(header.offset());
        return run != null && run.isReady(step) && run.fragment(step) == header.fragment()
                ? run
                : null;
    }

    /** Keeps a piece whose turn has not come. */
    void hold(int peer, FrameHeader header, MemorySegment payload) {
        if (held.count(peer) >= creditPieces) {
            throw broken(peer, header, "exceeds the credit of " + creditPieces + " pieces");
        }
        held.add(peer, header, payload);
    }

    /** Consumes what was held for a step that has just become ready. */
    void consumeHeld(SliceRun run, int step) {
        int peer = run.step(step).peer();
        if (held.count(peer) == 0) {
            return;
        }
        Execution execution = run.execution();
        int ordinal = run.step(step).ordinal();
        long slice = run.slice();
        boolean more = true;
        // The message's last piece may end the slice, and the run then begins a later one.
        while (more && execution.isActive() && run.isActive() && run.slice() == slice) {
            HeldPieces.Piece piece = held.take(peer, execution.sequence(), slice, ordinal);
            more = piece != null;
            if (piece != null) {
                consumeHeld(peer, run, step, piece);
            }
        }
    }

    private void consumeHeld(int peer, SliceRun run, int step, HeldPieces.Piece piece) {
        try {
            requireNext(peer, run, step, piece.header());
            consume(peer, run, step, piece.buffer());
        } catch (ProtocolException e) {
            lane.release(peer, 1);
            breakDown.accept(e);
        } finally {
            held.recycle(piece);
        }
    }

    /** A peer whose held piece of this call is of another one; -1 if there is none. */
    int findStranger(Execution execution) {
        for (int peer = 0; !held.isEmpty() && peer < lane.size(); peer++) {
            for (var piece = held.first(peer); piece != null; piece = piece.next()) {
                FrameHeader header = piece.header();
                if (header.sequence() == execution.sequence()
                        && header.extra() != execution.fingerprint(peer)) {
                    return peer;
                }
            }
        }
        return -1;
    }

    /** Checks the pieces that came before their call; returns what is wrong with one, or null. */
    @Nullable ProtocolException findFault(Execution execution) {
        for (int peer = 0; !held.isEmpty() && peer < lane.size(); peer++) {
            for (var piece = held.first(peer); piece != null; piece = piece.next()) {
                FrameHeader header = piece.header();
                String fault =
                        header.sequence() == execution.sequence()
                                ? findFault(execution, peer, header)
                                : null;
                if (fault != null) {
                    return broken(peer, header, fault);
                }
            }
        }
        return null;
    }

    /** Whether a call needs more of a peer than is held of it already. */
    boolean needsMore(Execution execution, int peer) {
        return Outstanding.needsMoreThan(execution, peer, held.count(peer, execution.sequence()));
    }

    /** Drops what is held of a call that has failed, and if asked of all later ones. */
    void drop(long sequence, boolean andLater) {
        for (int peer = 0; peer < lane.size(); peer++) {
            int dropped = held.drop(peer, sequence, andLater);
            if (dropped > 0) {
                lane.release(peer, dropped);
            }
        }
    }

    /** Returns the step that a piece belongs to, once it is one that the step can have. */
    private static int requireStep(int peer, Execution execution, FrameHeader header) {
        String fault = findFault(execution, peer, header);
        if (fault != null) {
            throw broken(peer, header, fault);
        }
        return execution.plan().receiveStep(peer, header.tag());
    }

    /** Why a piece can't be one of the call's; null if it can. */
    private static @Nullable String findFault(Execution execution, int peer, FrameHeader header) {
        long slice = header.offset();
        if (slice < 0 || slice >= execution.binding().slices()) {
            return "is outside the call's %d slices".formatted(execution.binding().slices());
        }
        int index = execution.plan().receiveStep(peer, header.tag());
        if (index < 0) {
            return "belongs to no message of the plan";
        }
        BoundStep step = execution.binding().step(index);
        if (!step.hasFragment(slice, header.fragment())) {
            return "is no fragment of its message";
        }
        long bytes = step.bytes(slice, header.fragment());
        return header.payloadBytes() == bytes ? null : "must have %d bytes".formatted(bytes);
    }

    private void consume(int peer, SliceRun run, int step, MemorySegment payload) {
        try {
            StepWork.takeIn(run, run.step(step), run.fragment(step), payload);
        } catch (IllegalStateException e) {
            breakDown.accept(ClosedMemory.explain(run.execution().call(), e));
        }
        boolean wasReadInPlace = isReadInPlace;
        isReadInPlace = false;
        if (wasReadInPlace && !lane.finishReading(peer)) {
            return; // what was combined is nothing; the loss of the peer ends the call
        }
        lane.release(peer, 1);
        if (run.execution().isActive() && !run.advance(step)) {
            schedule.complete(run, step);
        }
    }

    private static void requireNext(int peer, SliceRun run, int step, FrameHeader header) {
        if (run.fragment(step) != header.fragment()) {
            throw broken(
                    peer,
                    header,
                    run.fragment(step) == Binding.NONE
                            ? "belongs to a message that is complete"
                            : "is not the message's next fragment " + run.fragment(step));
        }
    }

    static ProtocolException broken(int peer, FrameHeader header, String rule) {
        return new ProtocolException(
                "rank " + peer,
                "piece of #%s (slice %d, message %d, fragment %d, %d bytes) %s"
                        .formatted(
                                Long.toUnsignedString(header.sequence()),
                                header.offset(),
                                header.tag(),
                                header.fragment(),
                                header.payloadBytes(),
                                rule));
    }
}
