package io.nexar.communicator;

import io.nexar.Status;
import io.nexar.fabric.Completion;
import io.nexar.fabric.ReceiveOperation;

import java.time.Duration;
import java.util.List;

/** A receive that waits for its message. */
final class PendingReceive extends Pending<Status> {
    private final ReceiveOperation receive;
    private final Envelope envelope;

    PendingReceive(
            CommunicatorCore core, Duration timeout, Envelope envelope, ReceiveOperation receive) {
        super(core, core.context("receive"), timeout);
        this.receive = receive;
        this.envelope = envelope;
    }

    @Override
    Completion completion() {
        return receive;
    }

    @Override
    Status result() {
        return receive.status();
    }

    @Override
    String missing() {
        return envelope.spellIncoming();
    }

    @Override
    List<Integer> waitingFor() {
        return envelope.sources();
    }

    @Override
    void giveUp(RuntimeException failure) {
        core().channel().messages().giveUp(receive, failure);
    }

    @Override
    boolean withdraw() {
        return core().channel().messages().cancel(receive);
    }
}
