package io.nexar.fabric;

import io.nexar.transport.SendListener;

import java.lang.foreign.MemorySegment;

/**
 * A message on its way out. Guarded by the progress lock, but for what {@link Completion} offers.
 */
public final class SendOperation extends Completion implements SendListener {
    /** Where a message is on its way. */
    enum Phase {
        /** In the queue for credit. */
        WAITING,
        /** Announced; waits for the grant. */
        ANNOUNCED,
        /** Its bytes flow. */
        FLOWING,
        /** All bytes are handed over; the link may still read some of them. */
        HANDED_OVER
    }

    final int dest;
    final int tag;
    final long bytes;
    MemorySegment payload;
    Phase phase = Phase.WAITING;
    long number;
    long sentBytes;
    private int framesPending;

    SendOperation(int dest, int tag, MemorySegment payload) {
        this.dest = dest;
        this.tag = tag;
        this.payload = payload;
        this.bytes = payload.byteSize();
    }

    void framePending() {
        framesPending++;
    }

    /** The last byte is handed over: done as soon as no link reads the payload any more. */
    void handedOver() {
        phase = Phase.HANDED_OVER;
        succeedIfFree();
    }

    @Override
    public void onSent(long token) {
        framesPending--;
        succeedIfFree();
    }

    private void succeedIfFree() {
        if (phase == Phase.HANDED_OVER && framesPending == 0) {
            succeed();
        }
    }
}
