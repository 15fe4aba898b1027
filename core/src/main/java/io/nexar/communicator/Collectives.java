package io.nexar.communicator;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * Collectives of one view, blocking and as requests. Used by one thread at a time, which {@link
 * CommunicatorCore#enterCollective} sees to, so that calls can use the same objects one after the
 * other.
 */
final class Collectives {
    private final CommunicatorCore core;
    private final ViewOptions options;
    private final CollectiveSpec spec = new CollectiveSpec();
    private final BoundCollective bound;
    private @Nullable PendingCollective<Void> blocking;

    Collectives(CommunicatorCore core, ViewOptions options) {
        this.core = core;
        this.options = options;
        this.bound = new BoundCollective(core);
    }

    /** What the next call is to be filled into. */
    CollectiveSpec spec() {
        return spec;
    }

    /** Runs it and waits for its end. */
    void run(CollectiveSpec what) {
        bound.bind(what, options.algorithm());
        PendingCollective<Void> pending = blocking;
        if (pending == null || !pending.completion().isDone()) {
            pending = new PendingCollective<>(core, options.timeout(), () -> null, true);
            blocking = pending;
        }
        bound.start(pending);
        pending.await();
    }

    /** Starts it. What can be refused is refused before a byte moves. */
    <T> PendingCollective<T> start(CollectiveSpec what, Supplier<T> result) {
        bound.bind(what, options.algorithm());
        PendingCollective<T> pending =
                new PendingCollective<>(core, options.timeout(), result, false);
        bound.start(pending);
        return pending;
    }
}
