package io.nexar.communicator;

import io.nexar.fabric.ProbeOperation;

import java.time.Duration;

/** Somebody waits for a message to come, and perhaps to take it out of matching. */
final class PendingProbe extends PendingWait<ProbeOperation, ProbeOperation> {
    PendingProbe(CommunicatorCore core, Duration timeout, Envelope envelope, ProbeOperation probe) {
        super(core, timeout, envelope, probe);
    }

    @Override
    ProbeOperation result() {
        return wait;
    }
}
