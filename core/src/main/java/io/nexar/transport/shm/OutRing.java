package io.nexar.transport.shm;

import io.nexar.ProtocolException;
import io.nexar.transport.SendListener;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The sending end of one lane: a ring of bytes between one producer and one consumer. See {@link
 * RingRecord} for what lies in it.
 *
 * <p>The first word of a record says that it is there: it is written last, and the word behind the
 * record, where the next one will begin, is made 0 before, of short ones several at a time. So the
 * consumer finds a small frame with the very cache line that holds it. A long record is written
 * while it is read: its first word comes first, and {@code tail} follows the bytes.
 *
 * <p>A frame that is longer than half the ring is copied aside and goes through bit by bit. Of the
 * memory here, only the consumer's {@code head} is read, and it is checked. The progress thread's.
 */
final class OutRing {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    /**
     * How far ahead of short records first words are made 0. Each takes the line away from the
     * consumer's core, which takes as long as a message; sixteen at a time take little longer.
     */
    private static final long AHEAD_BYTES = 16 * RingRecord.LINE;

    private final MemorySegment ring;
    private final long capacity;
    private final MemorySegment mine;
    private final MemorySegment theirs;
    private final int lane;

    private final Lends lends = new Lends();

    /** Where the next record begins. */
    private long tail;

    /** The first words of the lines from the tail up to here are 0. */
    private long cleared = RingRecord.LINE;

    /** The consumer has passed everything before this, as far as we know. */
    private long head;

    /** How much room there was none for; 0: it was never so, or there has been since. */
    private volatile long wantedBytes;

    /** A frame that is too long for the ring, and how much of it went through. */
    private @Nullable MemorySegment aside;

    private long asideBytes;
    private long asideDone;

    OutRing(LinkMemory.LaneMemory lane) {
        this.ring = lane.ring();
        this.capacity = lane.ring().byteSize() / 2;
        this.mine = lane.mine();
        this.theirs = lane.theirs();
        this.lane = lane.lane().ordinal();
    }

    /**
     * Takes the frame if there is room. Where the payload's memory turns out to be closed, nothing
     * has been sent.
     */
    boolean offer(FrameHeader header, MemorySegment payload) {
        long bytes = payload.byteSize();
        if (asideBytes > 0 && !pump()) {
            return false;
        }
        if (bytes > RingRecord.wholeBytesMax(capacity)) {
            return offerLarge(header, payload);
        }
        long total = RingRecord.totalBytes(bytes);
        if (!hasRoom(total + RingRecord.LINE)) {
            return false;
        }
        long at = tail & (capacity - 1);
        clearEnd(total);
        if (bytes <= RingRecord.AT_ONCE_BYTES) {
            // First what lies in other lines: the consumer looks at this one all the time.
            MemorySegment.copy(payload, 0, ring, at + RingRecord.payloadAt(bytes), bytes);
            header.encode(ring, at + RingRecord.HEADER);
            publish(at, RingRecord.WHOLE);
            pass(total);
        } else {
            header.encode(ring, at + RingRecord.HEADER);
            stream(at, payload, tail + total);
        }
        return true;
    }

    /**
     * Whether the consumer has passed everything: then it most likely waits for this frame, and
     * gets it sooner by one copy than by two.
     */
    boolean isDrained() {
        readHead();
        return head == tail;
    }

    boolean canLend() {
        return !lends.isFull() && asideBytes == 0 && hasRoom(2 * RingRecord.LINE);
    }

    /** Lends the payload, which must be kept memory, where {@link #canLend} is true. */
    void lend(FrameHeader header, MemorySegment payload, SendListener listener, long token) {
        long at = tail & (capacity - 1);
        clearEnd(RingRecord.LINE);
        header.encode(ring, at + RingRecord.HEADER);
        ring.set(ValueLayout.JAVA_LONG, at + RingRecord.ADDRESS_AT, payload.address());
        publish(at, RingRecord.LENT);
        pass(RingRecord.LINE);
        lends.add(tail, payload, listener, token);
    }

    boolean isLending() {
        return !lends.isEmpty();
    }

    /** Whether {@link #reap} would tell somebody. From any thread. */
    boolean hasReapable() {
        return !lends.isEmpty()
                && (long) LONG.getAcquire(theirs, LinkMemory.HEADS_AT + 8L * lane)
                        >= lends.firstEnd();
    }

    /** Tells whose memory the consumer has read; returns how many. */
    int reap() {
        int told = 0;
        if (!lends.isEmpty()) {
            readHead();
            while (!lends.isEmpty() && lends.firstEnd() <= head) {
                lends.tellFirst();
                told++;
            }
        }
        return told;
    }

    /** The link is down, and the consumer knows: what it reads from now on it does not deliver. */
    int withdraw() {
        int told = 0;
        while (!lends.isEmpty()) {
            lends.tellFirst();
            told++;
        }
        return told;
    }

    private void stream(long at, MemorySegment payload, long end) {
        long bytes = payload.byteSize();
        setTail(tail + RingRecord.LINE);
        publish(at, RingRecord.STREAMED);
        try {
            for (long done = 0; done < bytes; ) {
                long count = Math.min(RingRecord.STEP_BYTES, bytes - done);
                MemorySegment.copy(payload, done, ring, at + RingRecord.LINE + done, count);
                done += count;
                setTail(tail + RingRecord.LINE + done);
            }
        } catch (RuntimeException e) {
            publish(at, RingRecord.VOID); // before the tail says that it is whole
            throw e;
        } finally {
            setTail(end);
            pass(end - tail);
        }
    }

    private boolean offerLarge(FrameHeader header, MemorySegment payload) {
        if (!hasRoom(2 * RingRecord.LINE)) {
            return false;
        }
        MemorySegment copy = aside;
        if (copy == null) {
            copy = Arena.ofAuto().allocate(FrameHeader.PAYLOAD_BYTES_MAX, RingRecord.LINE);
            aside = copy;
        }
        MemorySegment.copy(payload, 0, copy, 0, payload.byteSize());
        long at = tail & (capacity - 1);
        header.encode(ring, at + RingRecord.HEADER);
        setTail(tail + RingRecord.LINE);
        publish(at, RingRecord.STREAMED);
        tail += RingRecord.LINE;
        cleared = tail;
        asideBytes = payload.byteSize();
        asideDone = 0;
        pump();
        return true;
    }

    /** Sends on what lies aside; true if it is all through. */
    boolean pump() {
        MemorySegment copy = aside;
        if (asideBytes == 0 || copy == null) {
            return true;
        }
        long padded = RingRecord.padded(asideBytes);
        while (asideDone < padded && hasRoom(2 * RingRecord.LINE)) {
            long room = head + capacity - tail - RingRecord.LINE;
            long count = Math.min(Math.min(RingRecord.STEP_BYTES, room), padded - asideDone);
            MemorySegment.copy(copy, asideDone, ring, tail & (capacity - 1), count);
            asideDone += count;
            tail += count;
            ring.set(ValueLayout.JAVA_LONG, tail & (capacity - 1), 0);
            cleared = tail + RingRecord.LINE;
            setTail(tail);
        }
        if (asideDone < padded) {
            return false;
        }
        asideBytes = 0;
        return true;
    }

    boolean hasAside() {
        return asideBytes > 0;
    }

    /** What the consumer has not passed yet, and what has not got that far. */
    long queuedBytes() {
        long seen = (long) LONG.getOpaque(theirs, LinkMemory.HEADS_AT + 8L * lane);
        return Math.clamp(tail - seen, 0, capacity) + asideBytes;
    }

    private boolean hasRoom(long bytes) {
        if (tail + bytes - head <= capacity) {
            return true;
        }
        readHead();
        if (tail + bytes - head <= capacity) {
            return true;
        }
        INT.setVolatile(mine, LinkMemory.STARVED_AT + 4L * lane, 1);
        VarHandle.fullFence(); // pairs with the one in InRing: it sees that we starve, or we room
        readHead();
        wantedBytes = tail + bytes - head <= capacity ? 0 : bytes;
        return wantedBytes == 0;
    }

    /** Whether there is room now for what was refused. From any thread. */
    boolean hasRoomAgain() {
        long wanted = wantedBytes;
        long seen = (long) LONG.getAcquire(theirs, LinkMemory.HEADS_AT + 8L * lane);
        return wanted != 0 && tail + wanted - seen <= capacity;
    }

    /** The same; said once. */
    boolean takeRoomAgain() {
        boolean isRoom = hasRoomAgain();
        if (isRoom) {
            wantedBytes = 0;
        }
        return isRoom;
    }

    boolean isWanting() {
        return wantedBytes != 0;
    }

    private void readHead() {
        // Pairs with the release in InRing.
        long seen = (long) LONG.getAcquire(theirs, LinkMemory.HEADS_AT + 8L * lane);
        if (seen < head || seen > tail) {
            throw new ProtocolException(
                    "its head of a ring went from %d to %d, with %d sent"
                            .formatted(head, seen, tail));
        }
        head = seen;
    }

    /**
     * Makes the word behind the next record 0. To be done before its own line is touched: the
     * consumer looks at that all the time, and takes it away from whoever waits for another line
     * between two writes to it. If a longer record can't be written, its lines are anything.
     */
    private void clearEnd(long total) {
        long end = tail + total;
        if (total > RingRecord.LINE || end >= cleared) {
            ring.set(ValueLayout.JAVA_LONG, end & (capacity - 1), 0);
            cleared = total > RingRecord.LINE ? tail + RingRecord.LINE : end + RingRecord.LINE;
        }
    }

    /** Goes on behind a record, whose end is cleared. */
    private void pass(long total) {
        tail += total;
        if (total > RingRecord.LINE) {
            cleared = tail + RingRecord.LINE;
        } else if (cleared == tail + RingRecord.LINE) {
            clearAhead(Math.min(tail + AHEAD_BYTES, head + capacity));
        }
    }

    private void clearAhead(long end) {
        for (long at = cleared; at < end; at += RingRecord.LINE) {
            ring.set(ValueLayout.JAVA_LONG, at & (capacity - 1), 0);
        }
        cleared = Math.max(cleared, end);
    }

    private void publish(long at, int mode) {
        // Pairs with the acquire in InRing.
        LONG.setRelease(ring, at, RingRecord.word(tail, mode));
    }

    private void setTail(long value) {
        LONG.setRelease(mine, LinkMemory.TAILS_AT + 8L * lane, value); // pairs with InRing's
    }
}
