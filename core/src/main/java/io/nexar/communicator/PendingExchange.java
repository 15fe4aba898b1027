package io.nexar.communicator;

import io.nexar.OperationContext;
import io.nexar.Status;
import io.nexar.fabric.Completion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A send and a receive at once: over when both are, failed when one has failed. */
final class PendingExchange extends Pending<Status> {
    private final PendingSend send;
    private final PendingReceive receive;
    private final Completion both = new Completion();

    PendingExchange(
            CommunicatorCore core, Duration timeout, PendingSend send, PendingReceive receive) {
        super(core, timeout);
        this.send = send;
        this.receive = receive;
        begin(core.nowNanos());
    }

    /** Watches the two halves; with the progress lock held. */
    PendingExchange watch() {
        send.completion().onDone(() -> settle(send.completion(), receive));
        receive.completion().onDone(() -> settle(receive.completion(), send));
        return this;
    }

    private void settle(Completion half, Pending<?> other) {
        RuntimeException failure = half.failure();
        if (failure != null) {
            other.giveUp(failure);
            both.fail(failure);
        } else if (other.completion().isDone() && other.completion().failure() == null) {
            both.succeed();
        }
    }

    @Override
    OperationContext context() {
        return core().context("sendReceive");
    }

    @Override
    Completion completion() {
        return both;
    }

    @Override
    Status result() {
        return receive.result();
    }

    @Override
    String missing() {
        return waiting(send) ? send.missing() : receive.missing();
    }

    @Override
    List<Integer> waitingFor() {
        List<Integer> ranks = new ArrayList<>();
        if (waiting(send)) {
            ranks.addAll(send.waitingFor());
        }
        if (waiting(receive)) {
            ranks.addAll(receive.waitingFor());
        }
        return ranks.stream().distinct().toList();
    }

    @Override
    void giveUp(RuntimeException failure) {
        send.giveUp(failure);
        receive.giveUp(failure);
        both.fail(failure);
    }

    /** The two halves belong together: once given, they end together. */
    @Override
    boolean withdraw() {
        return false;
    }

    private static boolean waiting(Pending<?> half) {
        return !half.completion().isDone();
    }
}
