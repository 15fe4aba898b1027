package io.nexar.fabric;

import io.nexar.memory.ClosedArena;
import io.nexar.transport.SendListener;

import org.jspecify.annotations.Nullable;

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

    /** To copy less than a page costs less than a frame of its own. */
    private static final int GATHERED_BELOW_BYTES = 4096;

    final int dest;
    final int tag;
    final long bytes;
    private MessageMemory memory;
    private long memoryFrom;
    Phase phase = Phase.WAITING;
    long number;
    long begunNanos;
    long sentBytes;
    private int framesPending;
    private @Nullable MemorySegment gathered;
    private long gatheredFrom;
    private boolean isDropped;

    SendOperation(int dest, int tag, MessageMemory payload) {
        this.dest = dest;
        this.tag = tag;
        this.memory = payload;
        this.bytes = payload.byteSize();
    }

    /** When it began; to be asked of one that was not over at once. */
    public long begunNanos() {
        return begunNanos;
    }

    /** All of it in one place; to be asked before anything has been sent. */
    MemorySegment whole() {
        MemorySegment first = memory.rest(0);
        return first.byteSize() == bytes ? first : gathered(bytes);
    }

    /**
     * The next bytes to send, at most so many. A place is sent as it lies, a frame or more for
     * each; short ones are gathered.
     */
    MemorySegment next(long bytesMax) {
        long wanted = Math.min(bytesMax, bytes - sentBytes);
        MemorySegment here = memory.rest(sentBytes - memoryFrom);
        if (here.byteSize() >= wanted) {
            return here.asSlice(0, wanted);
        }
        return here.byteSize() >= GATHERED_BELOW_BYTES ? here : gathered(wanted);
    }

    /** The next bytes in a copy, which is kept until it has been sent: a link may refuse it. */
    private MemorySegment gathered(long wanted) {
        MemorySegment known = gathered;
        if (known != null && gatheredFrom == sentBytes) {
            return known;
        }
        MemorySegment copy = MemorySegment.ofArray(new byte[(int) wanted]);
        memory.read(sentBytes - memoryFrom, copy);
        gathered = copy;
        gatheredFrom = sentBytes;
        return copy;
    }

    /**
     * Gives the caller's memory back: what is left goes on from a copy. A frame that the link still
     * reads by reference is the exception; the peer takes it with its next poll.
     */
    void detach() {
        MemorySegment rest = Arena.ofAuto().allocate(bytes - sentBytes);
        try {
            memory.read(sentBytes - memoryFrom, rest);
        } catch (IllegalStateException closed) {
            ClosedArena.forgetInterrupt();
            return; // Whoever sends the next part of it finds that too.
        }
        memory = MessageMemory.of(rest);
        memoryFrom = sentBytes;
    }

    /**
     * Its caller has closed the memory before all of it was sent: nothing more of it will be.
     *
     * @param cause thrown on if the memory is open: then it is something else
     */
    void drop(IllegalStateException cause) {
        if (memory.isOpen()) {
            throw cause;
        }
        ClosedArena.forgetInterrupt();
        isDropped = true;
        String what = "a message of %d bytes to rank %d with tag %d".formatted(bytes, dest, tag);
        fail(
                new IllegalStateException(
                        "the memory of " + what + " was closed before it was sent", cause));
    }

    boolean isDropped() {
        return isDropped;
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
