package io.nexar.communicator;

import io.nexar.fabric.Completion;
import io.nexar.fabric.ProbeOperation;

import java.time.Duration;
import java.util.List;

/** Somebody waits for a message to come, and perhaps to take it out of matching. */
final class PendingProbe extends Pending<ProbeOperation> {
    private final ProbeOperation probe;
    private final Envelope envelope;

    PendingProbe(CommunicatorCore core, Duration timeout, Envelope envelope, ProbeOperation probe) {
        super(core, core.context(probe.operation()), timeout);
        this.probe = probe;
        this.envelope = envelope;
    }

    @Override
    Completion completion() {
        return probe;
    }

    @Override
    ProbeOperation result() {
        return probe;
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
        core().channel().messages().giveUp(probe, failure);
    }

    @Override
    boolean withdraw() {
        return core().channel().messages().cancel(probe);
    }
}
