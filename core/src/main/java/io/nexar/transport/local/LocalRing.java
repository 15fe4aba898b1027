package io.nexar.transport.local;

import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One lane of one direction: a bounded ring of preallocated slots between one producer and one
 * consumer (Lamport 1977; the cached, padded cursors are Thompson's).
 *
 * <p>The producer fills the slot at {@code tail} and moves the cursor on; the consumer delivers the
 * slot at {@code head} and moves that on; the producer, in its own poll, reaps what the consumer
 * has passed and tells listeners. {@code reaped <= head <= tail <= reaped + slots}.
 *
 * <p>A small payload is copied into its slot. A large one is lent: the slot holds the sender's
 * segment, and the consumer takes it (OFFERED to TAKEN) before it reads. After a close the producer
 * gets back whatever was not taken: it leaves the consumer a copy (OFFERED to WITHDRAWING to
 * COPIED), or nothing if the consumer will not read (VOID). So memory is only ever handed back when
 * nobody reads it, and frames sent before a close still arrive.
 *
 * <p>Producer and consumer may each be any thread, one at a time.
 */
final class LocalRing {
    /**
     * Copying this much costs about what the extra round to the sender would: four cache lines, and
     * every control frame and tiny reduction fits.
     */
    static final int INLINE_BYTES = 256;

    /** Enough to keep a consumer busy for a poll; with pieces of 256 KiB it lends 16 MiB a lane. */
    static final int SLOTS = 64;

    private static final int MASK = SLOTS - 1;

    private static final int INLINE = 0;
    private static final int OFFERED = 1;
    private static final int TAKEN = 2;
    private static final int WITHDRAWING = 3;
    private static final int COPIED = 4;
    private static final int VOID = 5;

    private static final VarHandle CURSOR = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle STATE = MethodHandles.arrayElementVarHandle(int[].class);

    // 128 bytes apart, since processors fetch cache lines in pairs.
    private static final int TAIL = 16;
    private static final int HEAD = 32;
    private static final int REAPED = 48;
    private static final int STARVED = 64;
    private static final int LENT = 80;

    private final long[] cursors = new long[96];
    private final int[] states = new int[SLOTS];
    private final FrameHeader[] headers = new FrameHeader[SLOTS];
    private final MemorySegment[] inlined = new MemorySegment[SLOTS];

    /** What the consumer was last shown of each; the consumer's. */
    private final MemorySegment[] views = new MemorySegment[SLOTS];

    private final @Nullable MemorySegment[] payloads = new MemorySegment[SLOTS];
    private final @Nullable SendListener[] listeners = new SendListener[SLOTS];
    private final long[] tokens = new long[SLOTS];

    LocalRing() {
        // Off-heap, so that readers find it aligned; freed by the collector, so never under a
        // reader.
        MemorySegment memory = Arena.ofAuto().allocate((long) SLOTS * INLINE_BYTES, 64);
        for (int slot = 0; slot < SLOTS; slot++) {
            headers[slot] = new FrameHeader();
            inlined[slot] = memory.asSlice((long) slot * INLINE_BYTES, INLINE_BYTES);
            views[slot] = inlined[slot];
        }
    }

    // ---- producer ----

    SendResult offer(FrameHeader header, MemorySegment payload, SendListener listener, long token) {
        long tail = cursors[TAIL];
        if (tail - cursors[REAPED] == SLOTS && !hasMadeRoom()) {
            return SendResult.REFUSED;
        }
        int slot = (int) tail & MASK;
        headers[slot].copyFrom(header);
        long bytes = payload.byteSize();
        boolean isInline = bytes <= INLINE_BYTES;
        if (isInline) {
            MemorySegment.copy(payload, 0, inlined[slot], 0, bytes);
        } else {
            payloads[slot] = payload;
            listeners[slot] = listener;
            tokens[slot] = token;
            CURSOR.setOpaque(cursors, LENT, cursors[LENT] + 1);
        }
        states[slot] = isInline ? INLINE : OFFERED;
        CURSOR.setRelease(cursors, TAIL, tail + 1); // pairs with the acquire in isEmpty
        return isInline ? SendResult.SENT : SendResult.PENDING;
    }

    /** What the consumer has not passed yet. */
    long queuedBytes() {
        long bytes = 0;
        for (long at = (long) CURSOR.getAcquire(cursors, HEAD); at < cursors[TAIL]; at++) {
            bytes += FrameHeader.BYTES + headers[(int) at & MASK].payloadBytes();
        }
        return bytes;
    }

    private boolean hasMadeRoom() {
        if (skipInlined()) {
            return true;
        }
        CURSOR.setVolatile(cursors, STARVED, 1L); // pairs with the fence in takeStarved
        return skipInlined();
    }

    /** Frees consumed slots up to the first whose sender is still to be told. */
    private boolean skipInlined() {
        long head = (long) CURSOR.getVolatile(cursors, HEAD);
        long reaped = cursors[REAPED];
        long before = reaped;
        while (reaped < head && listeners[(int) reaped & MASK] == null) {
            reaped++;
        }
        CURSOR.setOpaque(cursors, REAPED, reaped);
        return reaped > before;
    }

    boolean hasReapable() {
        return (long) CURSOR.getOpaque(cursors, LENT) > 0
                && (long) CURSOR.getOpaque(cursors, REAPED)
                        < (long) CURSOR.getAcquire(cursors, HEAD);
    }

    boolean isLending() {
        return (long) CURSOR.getOpaque(cursors, LENT) > 0;
    }

    /** Tells the senders of lent memory that the consumer has passed it; returns how many. */
    int reap() {
        int told = 0;
        long head = (long) CURSOR.getAcquire(cursors, HEAD); // pairs with the release in pass
        while (cursors[REAPED] < head) {
            int slot = (int) cursors[REAPED] & MASK;
            CURSOR.setOpaque(cursors, REAPED, cursors[REAPED] + 1);
            told += giveBack(slot);
        }
        return told;
    }

    /** After a close: gets back all lent memory that the consumer is not reading right now. */
    int withdraw(boolean isConsumerReading) {
        int told = 0;
        for (long at = cursors[REAPED]; at < cursors[TAIL]; at++) {
            int slot = (int) at & MASK;
            if (listeners[slot] != null
                    && STATE.compareAndSet(states, slot, OFFERED, WITHDRAWING)) {
                if (isConsumerReading) {
                    payloads[slot] = copyOf(payload(slot));
                }
                // Pairs with the acquire in isDeliverable.
                STATE.setRelease(states, slot, isConsumerReading ? COPIED : VOID);
                told += tell(slot);
            }
        }
        return told;
    }

    private int giveBack(int slot) {
        payloads[slot] = null;
        return listeners[slot] == null ? 0 : tell(slot);
    }

    private int tell(int slot) {
        SendListener listener = java.util.Objects.requireNonNull(listeners[slot]);
        listeners[slot] = null;
        CURSOR.setOpaque(cursors, LENT, cursors[LENT] - 1);
        listener.onSent(tokens[slot]);
        return 1;
    }

    private static MemorySegment copyOf(MemorySegment payload) {
        return Arena.ofAuto().allocate(payload.byteSize(), 64).copyFrom(payload);
    }

    // ---- consumer ----

    boolean isEmpty() {
        return (long) CURSOR.getOpaque(cursors, HEAD) == (long) CURSOR.getAcquire(cursors, TAIL);
    }

    /** Whether the next slot can be delivered now; if so, it is the consumer's until it passes. */
    boolean tryTake() {
        if (isEmpty()) {
            return false;
        }
        int slot = (int) cursors[HEAD] & MASK;
        int state = (int) STATE.getAcquire(states, slot);
        if (state == OFFERED && STATE.compareAndSet(states, slot, OFFERED, TAKEN)) {
            return true;
        }
        return state == INLINE || state == COPIED;
    }

    FrameHeader header() {
        return headers[(int) cursors[HEAD] & MASK];
    }

    MemorySegment payload() {
        int slot = (int) cursors[HEAD] & MASK;
        return states[slot] == INLINE ? inlinedPayload(slot) : payload(slot);
    }

    /** A steady loop fills a slot with as much as the last time: no new object for it. */
    private MemorySegment inlinedPayload(int slot) {
        int bytes = headers[slot].payloadBytes();
        if (bytes == 0) {
            return MemorySegment.NULL;
        }
        MemorySegment view = views[slot];
        if (view.byteSize() != bytes) {
            view = inlined[slot].asSlice(0, bytes);
            views[slot] = view;
        }
        return view;
    }

    /** Goes on to the next slot; true if its sender waits to hear that its memory is free. */
    boolean pass() {
        boolean wasLent = states[(int) cursors[HEAD] & MASK] == TAKEN;
        CURSOR.setRelease(cursors, HEAD, cursors[HEAD] + 1); // pairs with the acquire in reap
        return wasLent;
    }

    /** Whether the producer was refused since the last call. Called after slots were passed. */
    boolean takeStarved() {
        VarHandle.fullFence(); // either the producer sees the new head, or we see that it starves
        if ((long) CURSOR.getOpaque(cursors, STARVED) == 0) {
            return false;
        }
        CURSOR.setVolatile(cursors, STARVED, 0L);
        return true;
    }

    private MemorySegment payload(int slot) {
        return java.util.Objects.requireNonNull(payloads[slot], "a lent slot has a payload");
    }
}
