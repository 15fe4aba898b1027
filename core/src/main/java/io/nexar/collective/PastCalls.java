package io.nexar.collective;

import io.nexar.wire.CallNote;

import org.jspecify.annotations.Nullable;

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

    /** Which binding each had; 0: there was none. What is repeated is copied once. */
    private final long[] bindings = new long[REMEMBERED];

    PastCalls() {
        for (int i = 0; i < REMEMBERED; i++) {
            calls[i] = new CollectiveCall();
        }
    }

    void add(Execution execution) {
        CollectiveCall call = execution.call();
        int index = index(call.sequence());
        if (bindings[index] == execution.bindingNumber()) {
            calls[index].numbered(call.sequence()).callSite(call.callSite());
            return;
        }
        calls[index].copyFrom(call).forgetMemory();
        fingerprints[index] = execution.fingerprint();
        bindings[index] = execution.bindingNumber();
    }

    /**
     * A call that is over here, for this peer to compare; null if it never was, or is forgotten.
     */
    @Nullable CallNote find(long sequence, int peer) {
        int index = index(sequence);
        CollectiveCall call = calls[index];
        if (bindings[index] == 0 || call.sequence() != sequence) {
            return null;
        }
        return new CallNote(
                CallNote.State.PAST,
                CallNote.Purpose.ANSWER,
                sequence,
                Fingerprint.withPeer(fingerprints[index], call, peer),
                0,
                CallWords.of(call, call.callSite()).inParts(CallParts.of(call, peer)));
    }

    private static int index(long sequence) {
        return (int) sequence & (REMEMBERED - 1);
    }
}
