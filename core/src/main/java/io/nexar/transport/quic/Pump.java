package io.nexar.transport.quic;

import io.nexar.transport.net.TurnKeeper;

import org.jspecify.annotations.Nullable;

/**
 * Lets whoever polls the links of an endpoint drive its event loop, once for each round of polls
 * however many links there are: in the poll of one of them, as long as that one is up. The polling
 * thread's.
 */
final class Pump {
    private final TurnKeeper keeper;
    private volatile @Nullable QuicLink driving;

    Pump(TurnKeeper keeper) {
        this.keeper = keeper;
    }

    boolean isDueAt(QuicLink polled) {
        QuicLink present = driving;
        if (present == polled) {
            return true;
        }
        if (present == null || present.isDown()) {
            driving = polled;
            return true;
        }
        return false;
    }

    void run() {
        keeper.tryPass();
    }

    /**
     * Event loop: whether this will be done before the sockets are looked at next, or by {@link
     * #endReads}; so only while a caller polls.
     */
    boolean isPutOff(Runnable endOfRead) {
        return keeper.isPutOff(endOfRead);
    }

    /** Event loop: does what was put off. */
    void endReads() {
        keeper.runPutOff();
    }

    /** Runs what writes to streams in the calling thread, if that may drive the loop now. */
    boolean tryRun(Runnable write) {
        return keeper.tryRun(write);
    }
}
