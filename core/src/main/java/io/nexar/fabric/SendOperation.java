package io.nexar.fabric;

import io.nexar.transport.SendListener;

import java.lang.foreign.Arena;
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
    private MemorySegment memory;
    private long memoryFrom;
    Phase phase = Phase.WAITING;
    long number;
    long begunNanos;
    long sentBytes;
    private int framesPending;

    SendOperation(int dest, int tag, MemorySegment payload) {
        this.dest = dest;
        this.tag = tag;
        this.memory = payload;
        this.bytes = payload.byteSize();
    }

    /** The next bytes to send, or all of them where none has been sent. */
    MemorySegment part(long partBytes) {
        return memory.asSlice(sentBytes - memoryFrom, partBytes);
    }

    /**
     * Gives the caller's memory back: what is left goes on from a copy. A frame that the link still
     * reads by reference is the exception; the peer takes it with its next poll.
     */
    void detach() {
        MemorySegment rest = memory.asSlice(sentBytes - memoryFrom);
        memory = Arena.ofAuto().allocate(Math.max(1, rest.byteSize())).copyFrom(rest);
        memoryFrom = sentBytes;
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
