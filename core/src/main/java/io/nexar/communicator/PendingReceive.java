package io.nexar.communicator;

import io.nexar.Status;
import io.nexar.fabric.ReceiveOperation;

import java.time.Duration;

/** A receive that waits for its message. */
final class PendingReceive extends PendingWait<ReceiveOperation, Status> {
    PendingReceive(
            CommunicatorCore core, Duration timeout, Envelope envelope, ReceiveOperation receive) {
        super(core, timeout, envelope, receive);
    }

    @Override
    Status result() {
        return wait.status();
    }
}
