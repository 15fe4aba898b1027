package io.nexar.collective;

import io.nexar.NexarException;
import io.nexar.wire.FrameHeader;

/**
 * The last calls that are over here. Whoever made the same call has sent all of it before it was
 * over, so a piece that comes later shows that its sender has made a different one: this rank's
 * part happened to need nothing from it.
 */
final class PastCalls {
    /**
     * Ranks are seldom further apart than their credit lets them be; older calls lose their names.
     */
    private static final int REMEMBERED = 64;

    private final CollectiveCall[] calls = new CollectiveCall[REMEMBERED];
    private final long[] fingerprints = new long[REMEMBERED];

    PastCalls() {
        for (int i = 0; i < REMEMBERED; i++) {
            calls[i] = new CollectiveCall();
        }
    }

    void add(CollectiveCall call, long fingerprint) {
        int index = index(call.sequence());
        calls[index].copyFrom(call).forgetMemory();
        fingerprints[index] = fingerprint;
    }

    /** What a piece of a call that is over here means. */
    NexarException explain(int peer, FrameHeader header) {
        int index = index(header.sequence());
        boolean isKnown = calls[index].hasPlan() && calls[index].sequence() == header.sequence();
        if (isKnown && fingerprints[index] != header.extra()) {
            return calls[index].mismatch(peer);
        }
        return Receiver.broken(peer, header, "belongs to a call that is over");
    }

    private static int index(long sequence) {
        return (int) sequence & (REMEMBERED - 1);
    }
}
