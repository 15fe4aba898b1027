package io.nexar.transport.shm;

import io.nexar.ProtocolException;
import io.nexar.memory.ClosedArena;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * The receiving end of one lane; see {@link OutRing}. What lies in the ring may be anything and may
 * change at any time: a number is read once and checked, and a header is copied before it is used.
 * The progress thread's, but for {@link #isReady}.
 */
final class InRing {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle HEAD = handle("head", long.class);
    private static final VarHandle AWAITED = handle("awaited", long.class);

    /** Copying so much costs less than an object that shows it where it lies. */
    private static final int SMALL_BYTES = 256;

    /** Enough for most frames that nobody has named a place for; a longer one has it grow. */
    private static final long STAGING_BYTES = 64 * 1024;

    /** So many polls in a row that found something are not a call and its answer. */
    private static final int IN_ROW = 16;

    private final MemorySegment ring;
    private final long capacity;
    private final MemorySegment mine;
    private final MemorySegment theirs;
    private final Lane lane;
    private final PeerMemory lender;
    private final BooleanSupplier isDown;
    private final FrameHeader header = new FrameHeader();

    /** What a small payload is copied to, and a view of it for each length: no object a frame. */
    private final MemorySegment small = Arena.ofAuto().allocate(SMALL_BYTES, RingRecord.LINE);

    private final @Nullable MemorySegment[] views = new MemorySegment[SMALL_BYTES + 1];

    /** Where the next record begins, or goes on; written by the progress thread, as awaited. */
    private long head;

    /** The tail that the last look found, of a record that is streamed in; 0: of none. */
    private long awaited;

    private long headTold;

    /** How many frames have come since a look was in vain. */
    private int inRow;

    /** Whether memory that was lent has been read since the producer was last rung. */
    private boolean hasReturned;

    /** Whether a payload is being read where the peer has it. */
    private boolean isShowing;

    /** Whether nothing more can come, although it may lie here. */
    private volatile boolean isOver;

    /** What the producer was told of since the last look whether it starves. */
    private long passedBytes;

    /** Where the payload that is streamed in began, and how much of it was copied. */
    private long start;

    private long copied;
    private @Nullable MemorySegment target;
    private @Nullable MemorySegment staging;

    /**
     * @param lender reads the memory of the peer
     * @param isDown whether either side has closed the link
     */
    InRing(LinkMemory.LaneMemory lane, PeerMemory lender, BooleanSupplier isDown) {
        this.ring = lane.ring();
        this.capacity = lane.ring().byteSize() / 2;
        this.mine = lane.mine();
        this.theirs = lane.theirs();
        this.lane = lane.lane();
        this.lender = lender;
        this.isDown = isDown;
    }

    /** Whether there is something that the last poll has not seen. From any thread. */
    boolean isReady() {
        if (isOver) {
            return false;
        }
        long seen = (long) AWAITED.getOpaque(this);
        return seen != 0
                ? tail() != seen
                : (long) LONG.getAcquire(ring, (long) HEAD.getOpaque(this) & (capacity - 1)) != 0;
    }

    /** Whether a look is worth it: all that an idle poll does. */
    boolean mayDeliver() {
        boolean isHere = awaited != 0 || (long) LONG.getOpaque(ring, head & (capacity - 1)) != 0;
        inRow = isHere ? inRow : 0;
        return isHere;
    }

    /** Whether to look on behind a frame; a look in vain takes as long as a message. */
    boolean mayHaveMore() {
        int bytes = header.payloadBytes();
        return bytes < Link.LONG_BYTES && (bytes > RingRecord.AT_ONCE_BYTES || ++inRow > IN_ROW);
    }

    /** Delivers the next frame, if all of it is here. */
    boolean tryDeliver(Link link, FrameHandler handler) {
        while (awaited == 0 && !isOver) {
            long at = head & (capacity - 1);
            long word = (long) LONG.getAcquire(ring, at); // pairs with the release in OutRing
            if (word == 0) {
                inRow = 0;
                return false;
            }
            header.decode(ring, at + RingRecord.HEADER);
            if (word == RingRecord.word(head, RingRecord.WHOLE)) {
                deliverWhole(link, handler, at);
                return true;
            }
            if (word == RingRecord.word(head, RingRecord.STREAMED)) {
                start = head + RingRecord.LINE;
                copied = 0;
                target = null;
                return tryStream(link, handler);
            }
            if (word == RingRecord.word(head, RingRecord.LENT)) {
                return tryLent(
                        link, handler, ring.get(ValueLayout.JAVA_LONG, at + RingRecord.ADDRESS_AT));
            }
            if (word != RingRecord.word(head, RingRecord.VOID)) {
                throw broken("a record begins with " + Long.toHexString(word));
            }
            pass(RingRecord.LINE + RingRecord.padded(header.payloadBytes()));
        }
        return !isOver && tryStream(link, handler);
    }

    private void deliverWhole(Link link, FrameHandler handler, long at) {
        int bytes = header.payloadBytes();
        if (bytes > RingRecord.AT_ONCE_BYTES) {
            throw broken("a record of " + bytes + " bytes is not streamed");
        }
        try {
            handler.onFrame(link, lane, header, payload(at + RingRecord.payloadAt(bytes), bytes));
        } finally {
            pass(RingRecord.totalBytes(bytes));
        }
    }

    private boolean tryLent(Link link, FrameHandler handler, long address) {
        MemorySegment lies = lender.show(address, header.payloadBytes());
        if (lies == null) {
            return tryRead(link, handler, address);
        }
        if (handler.readsInPlace(link, lane, header)) {
            isShowing = true;
            handler.onFrame(link, lane, header, lies);
            finishReading();
            return !isOver;
        }
        MemorySegment place = handler.destination(link, lane, header);
        target = place == null ? staging() : place;
        copied = 0;
        copy(lies, 0, target, header.payloadBytes());
        MemorySegment shown = target;
        target = null;
        if (tryPassLent()) {
            handler.onFrame(link, lane, header, shown);
        }
        return !isOver;
    }

    /** See {@link Link#finishReading}. */
    boolean finishReading() {
        boolean wasShowing = isShowing;
        isShowing = false;
        return !wasShowing || tryPassLent();
    }

    /**
     * Gives back what was lent and has been read. If the link is down after that, its sender may
     * have had its memory back while we read: then there is no such frame, and none behind it.
     */
    private boolean tryPassLent() {
        VarHandle.acquireFence(); // pairs with the release of the close; then memory is given back
        if (isDown.getAsBoolean()) {
            isOver = true;
            return false;
        }
        hasReturned = true;
        pass(RingRecord.LINE);
        tellHead();
        return true;
    }

    /** Has the system read what is lent from the peer's process. */
    private boolean tryRead(Link link, FrameHandler handler, long address) {
        int bytes = header.payloadBytes();
        MemorySegment place = handler.destination(link, lane, header);
        boolean isKept = place != null && PeerMemory.isKept(place);
        MemorySegment read = place != null && isKept ? place : staging();
        long result = lender.read(address, read);
        if (result == -Libc.ESRCH || isDown.getAsBoolean()) {
            isOver = true;
            return false;
        }
        if (result != bytes) {
            throw broken("%d bytes that it lends can't be read (%d)".formatted(bytes, result));
        }
        if (!tryPassLent()) {
            return false;
        }
        MemorySegment shown = read;
        if (place != null && !isKept) {
            copied = 0;
            copy(read, 0, place, bytes);
            shown = place.scope().isAlive() ? place : read;
        }
        handler.onFrame(link, lane, header, shown);
        return true;
    }

    private MemorySegment payload(long at, int bytes) {
        if (bytes == 0) {
            return MemorySegment.NULL;
        }
        if (bytes > SMALL_BYTES) {
            return ring.asSlice(at, bytes);
        }
        MemorySegment view = views[bytes];
        if (view == null) {
            view = small.asSlice(0, bytes);
            views[bytes] = view;
        }
        MemorySegment.copy(ring, at, view, 0, bytes);
        return view;
    }

    /** Goes on with the record that is being written; delivers it once it is whole. */
    private boolean tryStream(Link link, FrameHandler handler) {
        long tail = tail();
        if (tail < start + copied || tail - head > capacity) {
            throw broken("the tail of a ring is at %d, its head at %d".formatted(tail, head));
        }
        if (tail == awaited) {
            return false;
        }
        AWAITED.setOpaque(this, tail);
        long bytes = header.payloadBytes();
        long arrived = Math.min(tail - start, RingRecord.padded(bytes));
        boolean isAside = bytes > RingRecord.wholeBytesMax(capacity);
        MemorySegment place = handler.destination(link, lane, header);
        if (place == null && copied == 0 && !isAside) {
            return arrived == RingRecord.padded(bytes) && deliverInRing(link, handler);
        }
        copyOn(place, arrived);
        if (isAside) {
            HEAD.setOpaque(this, start + copied);
        }
        return copied == RingRecord.padded(bytes)
                && deliver(link, handler, Objects.requireNonNull(target));
    }

    /** Copies what has arrived to where it is to go; a place may have moved, or vanished. */
    private void copyOn(@Nullable MemorySegment place, long arrived) {
        long bytes = header.payloadBytes();
        MemorySegment to = target;
        if (place == null || (copied > 0 && isSame(staging(), to))) {
            place = staging(); // what came there is in no place that is named later
        }
        target = place;
        long count = Math.min(arrived, bytes) - copied;
        if (count > 0) {
            copy(ring, (start + copied) & (capacity - 1), place, count);
        }
        copied = arrived;
    }

    /** Copies to where it was told to go, also at a moment when that memory is closed. */
    private void copy(MemorySegment from, long at, MemorySegment place, long count) {
        try {
            MemorySegment.copy(from, at, place, copied, count);
        } catch (IllegalStateException e) {
            if (place.scope().isAlive()) {
                throw e; // it is the ring that is closed
            }
            ClosedArena.forgetInterrupt(); // whoever closed it wants none of this any more
            target = staging();
        }
    }

    private static boolean isSame(MemorySegment place, @Nullable MemorySegment before) {
        return before != null
                && place.address() == before.address()
                && place.heapBase().equals(before.heapBase());
    }

    private boolean deliverInRing(Link link, FrameHandler handler) {
        int bytes = header.payloadBytes();
        long at = start & (capacity - 1);
        return deliver(link, handler, bytes == 0 ? MemorySegment.NULL : ring.asSlice(at, bytes));
    }

    private boolean deliver(Link link, FrameHandler handler, MemorySegment payload) {
        long at = (start - RingRecord.LINE) & (capacity - 1);
        boolean isAside = head > start - RingRecord.LINE; // then its first line may be another's
        long padded = RingRecord.padded(header.payloadBytes());
        try {
            boolean isWhole =
                    isAside
                            || (long) LONG.getAcquire(ring, at)
                                    != RingRecord.word(head, RingRecord.VOID);
            if (isWhole) {
                handler.onFrame(link, lane, header, payload);
            }
            return isWhole;
        } finally {
            AWAITED.setOpaque(this, 0L);
            target = null;
            pass(start + padded - head);
        }
    }

    private void pass(long bytes) {
        HEAD.setOpaque(this, head + bytes);
    }

    /**
     * Gives what has been passed back to the producer. True if it may wait for that and is to be
     * woken: it starves only when half the ring is full, so a look each quarter is enough.
     */
    boolean giveBack() {
        tellHead();
        if (passedBytes >= capacity / 4) {
            passedBytes = 0;
            VarHandle.fullFence(); // pairs with the one in OutRing
            long at = LinkMemory.STARVED_AT + 4L * lane.ordinal();
            if ((int) INT.getOpaque(theirs, at) != 0) {
                INT.setVolatile(theirs, at, 0);
                hasReturned = true;
            }
        }
        boolean isAwaited = hasReturned;
        hasReturned = false;
        return isAwaited;
    }

    private void tellHead() {
        if (head != headTold) {
            // Pairs with the acquire in OutRing.
            LONG.setRelease(mine, LinkMemory.HEADS_AT + 8L * lane.ordinal(), head);
            passedBytes += head - headTold;
            headTold = head;
        }
    }

    private long tail() {
        return (long) LONG.getAcquire(theirs, LinkMemory.TAILS_AT + 8L * lane.ordinal());
    }

    /** Memory for this frame's payload; no more than what frames need, because it is touched. */
    private MemorySegment staging() {
        int bytes = header.payloadBytes();
        MemorySegment memory = staging;
        if (memory == null || memory.byteSize() < bytes) {
            memory = Arena.ofAuto().allocate(Math.max(bytes, STAGING_BYTES), RingRecord.LINE);
            staging = memory;
        }
        return memory.asSlice(0, bytes);
    }

    private ProtocolException broken(String what) {
        return new ProtocolException(what + " (" + lane + " lane)");
    }

    private static VarHandle handle(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(InRing.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
