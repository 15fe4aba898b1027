package io.nexar.communicator;

import io.nexar.PreparedCollective;
import io.nexar.Request;

import org.jspecify.annotations.Nullable;

/** A bound call, the pending one of its blocking starts, and its last start. */
final class NexarPreparedCollective implements PreparedCollective {
    private final CommunicatorCore core;
    private final ViewOptions options;
    private final BoundCollective bound;
    private @Nullable PendingCollective<Void> blocking;
    private @Nullable PendingCollective<Void> last;

    NexarPreparedCollective(CommunicatorCore core, ViewOptions options, BoundCollective bound) {
        this.core = core;
        this.options = options;
        this.bound = bound;
    }

    @Override
    public Request<Void> start() {
        core.enterCollective(bound.name());
        try {
            PendingCollective<Void> pending =
                    new PendingCollective<>(core, options.timeout(), () -> null, false);
            start(pending);
            return OperationRequest.unattended(pending);
        } finally {
            core.exitCollective();
        }
    }

    @Override
    public void run() {
        core.enterCollective(bound.name());
        try {
            PendingCollective<Void> pending = blocking;
            if (pending == null) {
                pending = new PendingCollective<>(core, options.timeout(), () -> null, true);
                blocking = pending;
            }
            start(pending);
            pending.await();
        } finally {
            core.exitCollective();
        }
    }

    private void start(PendingCollective<Void> pending) {
        PendingCollective<Void> before = last;
        if (before != null && !before.completion().isDone()) {
            throw new IllegalStateException(
                    "%s was prepared once and is still under way; await its last start first"
                            .formatted(before.context()));
        }
        last = null; // unless it starts now, nothing is under way
        bound.start(pending);
        last = pending;
    }

    @Override
    public String toString() {
        return "prepared " + bound.name() + " on " + core.name();
    }
}
