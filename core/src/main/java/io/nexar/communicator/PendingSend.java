package io.nexar.communicator;

import io.nexar.OperationContext;
import io.nexar.fabric.Completion;
import io.nexar.fabric.SendOperation;

import java.time.Duration;
import java.util.List;

/** A message on its way out. */
final class PendingSend extends Pending<Void> {
    private final SendOperation send;
    private final Envelope envelope;

    PendingSend(CommunicatorCore core, Duration timeout, Envelope envelope, SendOperation send) {
        super(core, timeout);
        this.send = send;
        this.envelope = envelope;
        begin(send.begunNanos());
    }

    @Override
    OperationContext context() {
        return core().context("send");
    }

    @Override
    Completion completion() {
        return send;
    }

    @Override
    @SuppressWarnings("NullAway") // Null is all that a Void can be.
    Void result() {
        return null;
    }

    @Override
    String missing() {
        return "the receive of %d bytes sent to rank %d with tag %d"
                .formatted(envelope.bytes(), envelope.rank(), envelope.tag());
    }

    @Override
    List<Integer> waitingFor() {
        return List.of(envelope.rank());
    }

    @Override
    void giveUp(RuntimeException failure) {
        core().channel().messages().giveUp(send, failure);
    }

    @Override
    boolean withdraw() {
        return core().channel().messages().cancel(send);
    }
}
