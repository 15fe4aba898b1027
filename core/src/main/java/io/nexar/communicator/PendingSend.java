package io.nexar.communicator;

import io.nexar.fabric.Completion;
import io.nexar.fabric.SendOperation;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message on its way out. */
final class PendingSend extends Pending<@Nullable Void> {
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
    @Nullable Void result() {
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
        core().channel().giveUp(send, failure);
    }

    @Override
    boolean withdraw() {
        return core().channel().cancel(send);
    }
}
