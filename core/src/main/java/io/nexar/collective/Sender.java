package io.nexar.collective;

import io.nexar.fabric.PieceLane;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import java.util.function.Consumer;

/**
 * Gives pieces to the lane, as far as credit and back-pressure allow.
 *
 * <p>To each peer the ready sends go out in the order of their keys. The send with the smallest key
 * of all that this rank will ever make to the peer may take the last credit; any other may overtake
 * it, but leaves one credit behind. So a peer that waits for the smallest key can always be served,
 * and nothing deadlocks, also with one credit (docs/adr/0005-the-engine.md).
 */
final class Sender {
    private final PieceLane lane;
    private final ActiveCalls active;
    private final Schedule schedule;
    private final Consumer<RuntimeException> breakDown;
    private final SendQueue[] queues;
    private final PendingSends pending = new PendingSends();
    private final FrameHeader header = new FrameHeader();

    /** In all queues together. */
    private int queued;

    Sender(
            PieceLane lane,
            ActiveCalls active,
            Schedule schedule,
            Consumer<RuntimeException> breakDown) {
        this.lane = lane;
        this.active = active;
        this.schedule = schedule;
        this.breakDown = breakDown;
        this.queues = new SendQueue[lane.size()];
        for (int peer = 0; peer < queues.length; peer++) {
            queues[peer] = new SendQueue();
        }
    }

    /** Queues a SEND that has become ready. */
    void add(SliceRun run, int step) {
        queues[run.step(step).peer()].add(run, step);
        queued++;
    }

    /** Whether anything waits to be sent. */
    boolean isSending() {
        return queued > 0;
    }

    /** Sends what can be sent now, the next rank first; returns how many pieces. */
    int pump() {
        int sent = 0;
        for (int distance = 1; queued > 0 && distance < queues.length; distance++) {
            int peer = lane.rank() + distance;
            sent += pump(peer < queues.length ? peer : peer - queues.length);
        }
        return sent;
    }

    /** The call that a pending piece belongs to. */
    Execution execution(long token) {
        return pending.run(token).execution();
    }

    /** The transport has let go of a pending piece; its SEND may be done with that. */
    void handleSent(long token) {
        SliceRun run = pending.run(token);
        int step = pending.remove(token);
        run.removePending(step);
        run.execution().removePendingSend();
        if (run.execution().isActive() && run.isSent(step)) {
            schedule.complete(run, step);
        }
    }

    /** Sends nothing more of a call that has failed. */
    void forget(Execution execution) {
        for (SendQueue queue : queues) {
            queued -= queue.removeAll(execution);
        }
    }

    private int pump(int peer) {
        SendQueue queue = queues[peer];
        int sent = 0;
        SliceRun run = queue.firstRun();
        while (run != null
                && hasCredit(peer, run, queue.firstStep())
                && offer(queue, run, queue.firstStep())) {
            sent++;
            run = queue.firstRun();
        }
        return sent;
    }

    private boolean hasCredit(int peer, SliceRun run, int step) {
        int credit = lane.credit(peer);
        return credit > 1 || (credit == 1 && !Outstanding.hasSendBefore(active, peer, run, step));
    }

    /** Offers the next fragment; false if the lane refused it or the call has failed. */
    private boolean offer(SendQueue queue, SliceRun run, int index) {
        BoundStep step = run.step(index);
        long token = pending.add(run, index);
        SendResult result;
        try {
            var payload = StepWork.payload(run, step, run.fragment(index));
            fillHeader(run, index).payloadBytes(payload.byteSize());
            result = lane.trySend(step.peer(), header, payload, token);
        } catch (IllegalStateException e) {
            pending.remove(token);
            breakDown.accept(ClosedMemory.explain(run.execution().call(), e));
            return false;
        }
        if (result != SendResult.PENDING) {
            pending.remove(token);
        }
        if (result == SendResult.REFUSED) {
            return false;
        }
        if (result == SendResult.PENDING) {
            run.addPending(index);
            run.execution().addPendingSend();
        }
        if (!run.advance(index)) {
            queue.removeFirst();
            queued--;
            if (run.isSent(index)) {
                schedule.complete(run, index);
            }
        }
        return true;
    }

    private FrameHeader fillHeader(SliceRun run, int index) {
        BoundStep step = run.step(index);
        return header.reset(FrameKind.PIECE)
                .sequence(run.execution().sequence())
                .offset(run.slice())
                .tag(step.ordinal())
                .fragment(run.fragment(index))
                .extra(run.execution().fingerprint(step.peer()));
    }
}
