package io.nexar.collective;

import io.nexar.ProtocolException;
import io.nexar.fabric.PieceHandler;
import io.nexar.fabric.PieceLane;
import io.nexar.memory.BufferPool;
import io.nexar.wire.CallNote;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Runs the collectives of one communicator on one rank: one engine for every plan.
 *
 * <p>A call's vector is cut into slices, and each slice goes through the same plan, a few at a
 * time, so that the rounds of different slices overlap. A step runs when the steps that it depends
 * on are done: local ones at once, sends as credit allows ({@link Sender}), receives when their
 * pieces come ({@link Receiver}), straight into the caller's memory. {@link Schedule} knows which
 * step is next.
 *
 * <p>No clock, no thread, no I/O: events come in by the methods here, pieces go out by the lane,
 * and pieces go out only from {@link #start} and {@link #advance}, never from within a link's poll.
 * Everything is guarded by the rank's progress lock. Listeners are told at the end of each method.
 */
public final class CollectiveEngine implements PieceHandler {
    /** Calls kept for their arrays and scratch memory; more than run at once is waste. */
    private static final int IDLE_MAX = 8;

    private final PieceLane lane;
    private final EngineSettings settings;
    private final BufferPool buffers;
    private final ActiveCalls active;
    private final Schedule schedule;
    private final HeldPieces held;
    private final Receiver receiver;
    private final Sender sender;
    private final PastCalls past = new PastCalls();
    private final Failures failures;
    private final Comparison comparison;
    private final Waits waits;
    private final ArrayDeque<Execution> idle = new ArrayDeque<>();

    private long bindings;
    private long moves;
    private boolean isClosed;

    /**
     * @param buffers of at least {@code pieceBytes}; the engine reserves what credit lets its peers
     *     send
     * @param firstSequence the sequence of the first call, the same on all ranks
     */
    public CollectiveEngine(
            PieceLane lane, EngineSettings settings, BufferPool buffers, long firstSequence) {
        if (buffers.bufferBytes() < settings.pieceBytes()) {
            throw new IllegalArgumentException(
                    "buffers of %d bytes cannot hold pieces of %d"
                            .formatted(buffers.bufferBytes(), settings.pieceBytes()));
        }
        this.lane = lane;
        this.settings = settings;
        this.buffers = buffers;
        this.active = new ActiveCalls(firstSequence);
        this.schedule = new Schedule(active);
        this.held = new HeldPieces(lane.size(), buffers);
        this.receiver =
                new Receiver(lane, schedule, this::breakDown, held, settings.creditPieces());
        this.sender = new Sender(lane, active, schedule, this::breakDown);
        this.failures = new Failures(active, schedule, sender, receiver, lane.size());
        this.comparison = new Comparison(lane, active, past, this::breakDown);
        this.waits = new Waits(lane, active, comparison);
        buffers.reserve(reservation());
    }

    /**
     * Says who is told once why the engine broke, before the listeners of the calls that it ends:
     * to tell the other ranks. It may break while no call is under way.
     */
    public void onBreak(Consumer<RuntimeException> listener) {
        failures.onBreak(listener);
    }

    /** The sequence that the next call must have. */
    public long nextSequence() {
        return active.next();
    }

    /** Whether no call is under way. */
    public boolean isIdle() {
        return active.oldest() == active.next();
    }

    /** Why no further call can start; null while the engine works. */
    public @Nullable RuntimeException brokenReason() {
        return failures.reason();
    }

    /**
     * The same for the caller of a call that can't start: from here on this rank knows the reason.
     */
    public @Nullable RuntimeException tellReason() {
        return failures.tell();
    }

    /** Why the engine broke, if none of this rank's calls has met it: close() has to tell. */
    public @Nullable RuntimeException untoldReason() {
        return failures.untold();
    }

    /** What this rank is in and whom it waits for. */
    public Waits waits() {
        return waits;
    }

    /**
     * Begins a call, which may be over when this returns. A broken engine throws its first reason;
     * a call that does not fit its plan or its memory is an {@link IllegalArgumentException}, and
     * its sequence is not used up.
     *
     * @param call copied; it is this engine's for good, and remembers how it was bound
     */
    public void start(CollectiveCall call, ExecutionListener listener) {
        RuntimeException broken = failures.tell();
        if (broken != null) {
            throw broken;
        }
        if (call.sequence() != active.next()) {
            throw new IllegalArgumentException(
                    "call #%s where #%s is next"
                            .formatted(
                                    Long.toUnsignedString(call.sequence()),
                                    Long.toUnsignedString(active.next())));
        }
        Execution execution = acquire(call, listener);
        active.add(execution);
        if (!comparison.isFrozen()) {
            begin(execution);
        }
        advance();
    }

    private void begin(Execution execution) {
        int stranger = receiver.findStranger(execution);
        if (stranger >= 0) {
            comparison.suspect(stranger, execution.note(stranger), failures.isLost(stranger));
            return;
        }
        ProtocolException fault = receiver.findFault(execution);
        if (fault != null) {
            breakDown(fault);
        } else if (failures.reachesPeers(execution)) {
            schedule.begin(execution);
        }
    }

    /** Runs what is ready and sends what can be sent; returns how much there was to do. */
    public int advance() {
        int work = 0;
        int done = 1;
        while (done > 0 && !comparison.isFrozen()) {
            done = runReady() + sender.pump();
            work += done;
        }
        moves += work;
        settle();
        return work;
    }

    @Override
    public boolean onPiece(int peer, FrameHeader header, MemorySegment payload) {
        Execution execution = active.find(header.sequence());
        if (comparison.isFrozen()) {
            lane.release(peer, 1);
        } else if (execution == null) {
            handleOther(peer, header, payload);
        } else if (header.extra() != execution.fingerprint(peer)) {
            lane.release(peer, 1);
            comparison.suspect(peer, execution.note(peer), false);
        } else {
            moves++;
            receiver.handlePiece(peer, execution, header, payload);
            runReady();
        }
        settle();
        return sender.isSending();
    }

    @Override
    public boolean readsInPlace(int peer, FrameHeader header) {
        Execution execution = executionOf(peer, header);
        return execution != null && receiver.isAwaited(peer, execution, header);
    }

    @Override
    public @Nullable MemorySegment destination(int peer, FrameHeader header) {
        Execution execution = executionOf(peer, header);
        return execution == null ? null : receiver.destination(peer, execution, header);
    }

    private @Nullable Execution executionOf(int peer, FrameHeader header) {
        Execution execution = comparison.isFrozen() ? null : active.find(header.sequence());
        return execution == null || header.extra() != execution.fingerprint(peer)
                ? null
                : execution;
    }

    @Override
    public void onSent(long token) {
        Execution execution = sender.execution(token);
        boolean hadEnded = !execution.isActive();
        sender.handleSent(token);
        if (hadEnded && !execution.hasPendingSends()) {
            recycle(execution);
        }
        moves++;
        runReady();
        settle();
    }

    @Override
    public void onCall(int peer, CallNote note) {
        if (failures.reason() == null) { // else the peer is told the reason
            waits.hear(peer, note);
            settle();
        }
    }

    /** Looks how long calls have been waiting; true if that made something to do. */
    public boolean sample(long nowNanos) {
        return waits.look(nowNanos, moves);
    }

    /**
     * A call that needs nothing more from the lost peer goes on; a later one fails at its start.
     * While calls are compared, nothing ends: who leaves then may have all it needs, and this rank
     * has dropped what came of it.
     */
    @Override
    public void onPeerLost(int peer, RuntimeException failure) {
        if (failures.isLost(peer)) {
            return;
        }
        comparison.handleLost(peer);
        failures.lose(peer, failure);
        if (!comparison.isFrozen()) {
            failures.endUnreachable();
        }
        settle();
    }

    /**
     * Gives up: every call that is under way ends with this failure, and no further one starts. For
     * a deadline, an interrupt, an abort from another rank.
     */
    public void fail(RuntimeException reason) {
        breakDown(reason);
        settle();
    }

    /** Fails what runs, drops what is held, and gives back the reserved buffers. */
    public void close(RuntimeException reason) {
        comparison.giveUp();
        fail(reason);
        if (!isClosed) {
            isClosed = true;
            buffers.unreserve(reservation());
        }
    }

    private int runReady() {
        if (comparison.isFrozen()) {
            return 0;
        }
        int done = 0;
        SliceRun run = schedule.nextRun();
        while (run != null) {
            runStep(run, schedule.removeStep());
            done++;
            run = schedule.nextRun();
        }
        return done;
    }

    private void runStep(SliceRun run, int index) {
        BoundStep step = run.step(index);
        if (step.isIdle()) {
            schedule.complete(run, index);
        } else if (step.isLocal()) {
            runLocal(run, index);
        } else if (run.fragment(index) == Binding.NONE) {
            schedule.complete(run, index);
        } else if (step.isReceive()) {
            receiver.consumeHeld(run, index);
        } else {
            sender.add(run, index);
        }
    }

    private void runLocal(SliceRun run, int index) {
        try {
            StepWork.runLocal(run, run.step(index));
        } catch (IllegalStateException e) {
            breakDown(ClosedMemory.explain(run.execution().call(), e));
            return;
        }
        schedule.complete(run, index);
    }

    /** A piece of a call that is not under way: of a later one it is held. */
    private void handleOther(int peer, FrameHeader header, MemorySegment payload) {
        if (failures.reason() != null) {
            lane.release(peer, 1);
        } else if (header.sequence() - active.next() >= 0) {
            receiver.hold(peer, header, payload);
        } else {
            handleLate(peer, header);
        }
    }

    /**
     * A piece of a call that is over here. Whoever made the same call had sent all of it by then.
     */
    private void handleLate(int peer, FrameHeader header) {
        CallNote mine = past.find(header.sequence(), peer);
        if (mine == null || mine.fingerprint() == header.extra()) {
            throw Receiver.broken(peer, header, "belongs to a call that is over");
        }
        lane.release(peer, 1);
        comparison.suspect(peer, mine, false);
    }

    private void breakDown(RuntimeException cause) {
        failures.breakDown(cause);
    }

    /** Tells the listeners of calls that have ended; one of them may start another call. */
    private void settle() {
        failures.tellRanks();
        Execution execution = schedule.pollEnded();
        while (execution != null) {
            execution.listener().onEnd(execution.call(), execution.failure());
            if (!execution.hasPendingSends()) {
                recycle(execution);
            }
            execution = schedule.pollEnded();
        }
    }

    private Execution acquire(CollectiveCall call, ExecutionListener listener) {
        Execution last = call.resting.take();
        if (last != null && last.isBoundTo(call)) {
            last.repeat(call, listener);
            return last;
        }
        if (last != null) {
            free(last);
        }
        call.requireComplete();
        Execution execution = idle.pollLast();
        if (execution == null) {
            return new Execution(settings, call, listener, ++bindings);
        }
        execution.bind(call, listener, ++bindings);
        return execution;
    }

    /** Of a call that is over; one that has failed is bound to no memory any more. */
    private void recycle(Execution execution) {
        past.add(execution);
        Execution freed = execution.failure() == null && !isClosed ? execution.rest() : execution;
        if (freed != null) {
            free(freed);
        }
    }

    private void free(Execution execution) {
        execution.unbind();
        if (idle.size() < IDLE_MAX) {
            idle.addLast(execution);
        }
    }

    private long reservation() {
        return (long) (lane.size() - 1) * settings.creditPieces();
    }
}
