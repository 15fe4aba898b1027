package io.nexar.communicator;

import io.nexar.Algorithm;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * Collectives of one view, blocking and as requests. Used by one thread at a time, which {@link
 * CommunicatorCore#enterCollective} sees to, so that calls can use the same objects one after the
 * other.
 */
final class Collectives {
    private final CollectiveSpec spec = new CollectiveSpec();
    private final BoundCollective bound;

    Collectives(CommunicatorCore core, ViewOptions options) {
        this.bound = new BoundCollective(core, options);
    }

    /** What the next call is to be filled into. */
    CollectiveSpec spec() {
        return spec;
    }

    /** Runs it and waits for its end. */
    void run(CollectiveSpec what) {
        bound.bind(what).run();
    }

    /** How the last call moves its data; null before the first. */
    @Nullable Algorithm lastAlgorithm() {
        return bound.lastAlgorithm();
    }

    /** Starts it. What can be refused is refused before a byte moves. */
    <T> PendingCollective<T> start(CollectiveSpec what, Supplier<T> result) {
        return start(what, result, false);
    }

    /** The same for a caller who may stay until it is over. */
    <T> PendingCollective<T> start(CollectiveSpec what, Supplier<T> result, boolean isBlocking) {
        return bound.bind(what).start(result, isBlocking);
    }
}
