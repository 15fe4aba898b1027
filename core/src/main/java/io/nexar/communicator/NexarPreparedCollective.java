package io.nexar.communicator;

import io.nexar.PreparedCollective;
import io.nexar.Request;

import org.jspecify.annotations.Nullable;

/** A bound call, and the last request that it was started for. */
final class NexarPreparedCollective implements PreparedCollective {
    private final CommunicatorCore core;
    private final BoundCollective bound;
    private @Nullable PendingCollective<Void> requested;

    NexarPreparedCollective(CommunicatorCore core, BoundCollective bound) {
        this.core = core;
        this.bound = bound;
    }

    @Override
    public Request<Void> start() {
        core.enterCollective(bound.name());
        try {
            requireOver();
            PendingCollective<Void> pending = bound.start(() -> null, false);
            requested = pending;
            return OperationRequest.unattended(pending);
        } finally {
            core.exitCollective();
        }
    }

    @Override
    public void run() {
        core.enterCollective(bound.name());
        try {
            requireOver();
            bound.run();
        } finally {
            core.exitCollective();
        }
    }

    private void requireOver() {
        PendingCollective<Void> last = requested;
        if (last != null && !last.completion().isDone()) {
            throw new IllegalStateException(
                    "%s was prepared once and is still under way; await its last start first"
                            .formatted(last.context()));
        }
    }

    @Override
    public String toString() {
        return "prepared " + bound.name() + " on " + core.name();
    }
}
