package io.nexar.communicator;

import io.nexar.fabric.Completion;
import io.nexar.fabric.SendOperation;

import java.time.Duration;
import java.util.List;

/** A message on its way out. */
final class PendingSend extends Pending<Void> {
    private final SendOperation send;
    private final int dest;
    private final int tag;
    private final long bytes;

    PendingSend(CommunicatorCore core, Duration timeout, Envelope envelope, SendOperation send) {
        super(core, core.context("send"), timeout);
        this.send = send;
        this.dest = envelope.rank();
        this.tag = envelope.tag();
        this.bytes = envelope.bytes();
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
        return "the receive of %d bytes sent to rank %d with tag %d".formatted(bytes, dest, tag);
    }

    @Override
    List<Integer> waitingFor() {
        return List.of(dest);
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
