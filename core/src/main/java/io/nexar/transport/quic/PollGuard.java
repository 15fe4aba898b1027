package io.nexar.transport.quic;

/**
 * Lets buffers be freed from any thread, but never under a poll: a disposal that comes meanwhile is
 * done when the poll ends. At most one thread polls at a time, as {@link io.nexar.transport.Link}
 * says.
 */
final class PollGuard {
    private enum State {
        IDLE,
        POLLING,
        POLLING_TO_DISPOSE,
        DISPOSED
    }

    private final Runnable disposal;
    private State state = State.IDLE;

    PollGuard(Runnable disposal) {
        this.disposal = disposal;
    }

    /** False if everything has been freed. */
    synchronized boolean enter() {
        if (state == State.DISPOSED) {
            return false;
        }
        if (state != State.IDLE) {
            throw new IllegalStateException("a link is polled by one thread at a time");
        }
        state = State.POLLING;
        return true;
    }

    synchronized void leave() {
        if (state == State.POLLING_TO_DISPOSE) {
            state = State.DISPOSED;
            disposal.run();
        } else {
            state = State.IDLE;
        }
    }

    synchronized void dispose() {
        switch (state) {
            case IDLE -> {
                state = State.DISPOSED;
                disposal.run();
            }
            case POLLING -> state = State.POLLING_TO_DISPOSE;
            case POLLING_TO_DISPOSE, DISPOSED -> {}
        }
    }
}
