package io.nexar.transport.tcp;

import io.nexar.ProtocolException;
import io.nexar.memory.InPlace;
import io.nexar.transport.Lane;
import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * What one lane has sent and the peer has not acknowledged, and behind it what is still to be sent.
 * Frames lie in a ring of bytes as they go out; the payload of a large one is lent by its sender
 * where it can't be closed meanwhile, and copied otherwise. {@code acknowledged <= next <= end}.
 *
 * <p>The peer acknowledges what it has handled, so the bound on unacknowledged bytes is this lane's
 * flow control: a peer that does not poll gets no more than that, and a full lane takes no room
 * from another. Guarded by {@link Outgoing}'s lock.
 */
final class SendLane {
    /** Enough for a flood of the smallest frames over a round trip; acknowledged by quarters. */
    static final int FRAMES_MAX = 512;

    /**
     * Above it a payload travels in records of its own: copying this much costs about what a record
     * does.
     */
    static final int INLINE_BYTES_MAX = 8 * 1024;

    /** Where most links get along: heartbeats go elsewhere, small frames are acknowledged often. */
    private static final int RING_BYTES_MIN = 32 * 1024;

    /**
     * Where no more is lent for pieces and parts, it is the end of something, whose caller waits;
     * where there is more, the peer will have told before that is copied.
     */
    private static final int COPIED_BYTES_MAX = 256 * 1024;

    private static final int MASK = FRAMES_MAX - 1;

    private final int number;
    private final long windowBytes;
    private final int ringBytesMax;
    private final long[] starts = new long[FRAMES_MAX];
    private final int[] payloadBytes = new int[FRAMES_MAX];
    private final @Nullable MemorySegment[] lent = new MemorySegment[FRAMES_MAX];
    private final @Nullable SendListener[] listeners = new SendListener[FRAMES_MAX];
    private final long[] tokens = new long[FRAMES_MAX];
    private long acknowledged;
    private long next;
    private long end;

    private MemorySegment ring = MemorySegment.NULL;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private long ringEnd;

    private long unacknowledgedBytes;
    private long unwrittenBytes;
    private long lentBytes;

    /** Of the frames before it none is lent that is to be copied later. */
    private long kept;

    /** How much of the frame {@code next} is sealed. */
    private int sealedOfNext;

    private @Nullable ByteBuffer lentView;

    SendLane(int number, int windowBytes) {
        this.number = number;
        this.windowBytes = windowBytes;
        int needed = Math.max(windowBytes, 2 * FrameHeader.PAYLOAD_BYTES_MAX);
        this.ringBytesMax = Integer.highestOneBit(2 * needed - 1);
    }

    /**
     * Whether all that is lent to that lane is copied once there is nothing else to do: whoever
     * sends a message goes on then. Of parts of something longer only the last are.
     */
    static boolean isCopyingAll(int lane) {
        return lane == Lane.MESSAGE.ordinal();
    }

    SendResult trySend(
            FrameHeader header, MemorySegment payload, SendListener listener, long token) {
        int size = header.payloadBytes();
        boolean isLent = size > INLINE_BYTES_MAX && InPlace.isKept(payload);
        int ringBytes = Packet.FRAME_BYTES + size;
        long at = isFull(size) ? -1 : reserve(ringBytes);
        if (at < 0) {
            return SendResult.REFUSED;
        }
        int place = place(at);
        Packet.encode(ring, place, Packet.FRAME, number);
        header.encode(ring, place + Packet.BYTES);
        int slot = (int) end & MASK;
        if (isLent) {
            lent[slot] = payload;
            listeners[slot] = listener;
            tokens[slot] = token;
            lentBytes += size;
        } else {
            MemorySegment.copy(payload, 0, ring, place + Packet.FRAME_BYTES, size);
        }
        starts[slot] = at;
        payloadBytes[slot] = size;
        ringEnd = at + ringBytes;
        end++;
        unacknowledgedBytes += Packet.FRAME_BYTES + size;
        unwrittenBytes += Packet.FRAME_BYTES + size;
        return isLent ? SendResult.PENDING : SendResult.SENT;
    }

    private boolean isFull(int size) {
        return end - acknowledged == FRAMES_MAX
                || (unacknowledgedBytes > 0
                        && unacknowledgedBytes + Packet.FRAME_BYTES + size > windowBytes);
    }

    /** Where that many bytes fit in one piece, in the ring's endless counting; -1: nowhere. */
    private long reserve(int size) {
        if (acknowledged == end) {
            ringEnd = 0; // the same memory again: it is still in the cache
        }
        while (true) {
            int capacity = bytes.capacity();
            int beforeWrap = capacity - (capacity == 0 ? 0 : place(ringEnd));
            long at = size <= beforeWrap ? ringEnd : ringEnd + beforeWrap;
            long oldest = acknowledged == end ? 0 : starts[(int) acknowledged & MASK];
            if (at + size - oldest <= capacity) {
                return at;
            }
            if (capacity == ringBytesMax) {
                return -1;
            }
            grow();
        }
    }

    private void grow() {
        int capacity = Math.max(RING_BYTES_MIN, 2 * bytes.capacity());
        ByteBuffer larger = ByteBuffer.allocateDirect(capacity);
        MemorySegment target = MemorySegment.ofBuffer(larger);
        long at = 0;
        for (long frame = acknowledged; frame < end; frame++) {
            int slot = (int) frame & MASK;
            int size = ringBytes(slot);
            MemorySegment.copy(ring, place(starts[slot]), target, at, size);
            starts[slot] = at;
            at += size;
        }
        bytes = larger;
        ring = target;
        ringEnd = at;
    }

    private int ringBytes(int slot) {
        return Packet.FRAME_BYTES + payloadBytes[slot];
    }

    private int place(long at) {
        return (int) at & (bytes.capacity() - 1);
    }

    int number() {
        return number;
    }

    boolean hasUnsealed() {
        return next < end;
    }

    /** Whether the peer waits for the rest of a frame, so that no other lane may come between. */
    boolean isInsideFrame() {
        return sealedOfNext > 0;
    }

    /**
     * Seals one record's worth: small frames together, or the header of a large one, or a part of
     * its payload.
     *
     * @param handled how many frames of the peer's were handled on this lane
     */
    void sealNext(Wire wire, int handled) throws IOException {
        if (sealedOfNext == 0) {
            sealFrames(wire, handled);
        } else {
            sealPart(wire);
        }
    }

    private void sealFrames(Wire wire, int handled) throws IOException {
        int first = place(starts[(int) next & MASK]);
        int runEnd = first;
        long frame = next;
        boolean isLarge = false;
        while (frame < end && !isLarge) {
            int slot = (int) frame & MASK;
            isLarge = payloadBytes[slot] > INLINE_BYTES_MAX;
            int more = Packet.FRAME_BYTES + (isLarge ? 0 : payloadBytes[slot]);
            if (place(starts[slot]) != runEnd || runEnd + more - first > Wire.SEAL_BYTES_MAX) {
                isLarge = false;
                break;
            }
            Packet.value(ring, runEnd, handled);
            runEnd += more;
            frame++;
        }
        wire.seal(bytes.limit(runEnd).position(first));
        unwrittenBytes -= runEnd - first;
        next = isLarge ? frame - 1 : frame;
        sealedOfNext = isLarge ? Packet.FRAME_BYTES : 0;
    }

    private void sealPart(Wire wire) throws IOException {
        int slot = (int) next & MASK;
        int done = sealedOfNext - Packet.FRAME_BYTES;
        int part = Math.min(payloadBytes[slot] - done, wire.partBytesMax());
        MemorySegment memory = lent[slot];
        if (memory == null) {
            int from = place(starts[slot]) + sealedOfNext;
            wire.sealPart(bytes.limit(from + part).position(from));
        } else {
            ByteBuffer view = lentView == null ? memory.asByteBuffer() : lentView;
            lentView = view;
            wire.sealPart(view.limit(done + part).position(done));
        }
        unwrittenBytes -= part;
        sealedOfNext += part;
        if (done + part == payloadBytes[slot]) {
            next++;
            sealedOfNext = 0;
            lentView = null;
        }
    }

    /**
     * The peer has handled that many frames, counted as 32 bits are.
     *
     * @return how many more than it had said before
     */
    int acknowledge(int handled) {
        int more = handled - (int) acknowledged;
        if (more < 0 || more > next - acknowledged) {
            throw new ProtocolException(
                    "%d frames are acknowledged on lane %d, of which %d to %d are under way"
                            .formatted(handled, number, (int) acknowledged, (int) next));
        }
        return more;
    }

    /**
     * Copies the payload of a frame that was lent and has been sealed; the ring has room for it.
     *
     * @return false if there is none, or too much
     */
    boolean tryCopy(Copied copied) {
        if (!isLending() || (!isCopyingAll(number) && lentBytes > COPIED_BYTES_MAX)) {
            return false;
        }
        for (kept = Math.max(kept, acknowledged); kept < next; kept++) {
            int slot = (int) kept & MASK;
            MemorySegment memory = lent[slot];
            SendListener listener = listeners[slot];
            if (memory != null && listener != null) {
                int at = place(starts[slot]) + Packet.FRAME_BYTES;
                MemorySegment.copy(memory, 0, ring, at, payloadBytes[slot]);
                copied.listener = listener;
                copied.token = tokens[slot];
                lent[slot] = null;
                listeners[slot] = null;
                lentBytes -= payloadBytes[slot];
                return true;
            }
        }
        return false;
    }

    /** Who is to be told that a payload is free again. */
    static final class Copied {
        SendListener listener = token -> {};
        long token;
    }

    /** The oldest frame is done with. Its listener, who is to be told, or null. */
    @Nullable SendListener pass() {
        int slot = (int) acknowledged & MASK;
        SendListener listener = listeners[slot];
        listeners[slot] = null;
        lent[slot] = null;
        lentBytes -= listener == null ? 0 : payloadBytes[slot];
        unacknowledgedBytes -= ringBytes(slot);
        acknowledged++;
        return listener;
    }

    /** The header of the oldest frame, as it was sent. */
    void oldestHeader(FrameHeader into) {
        into.decode(ring, place(starts[(int) acknowledged & MASK]) + Packet.BYTES);
    }

    /** The payload of the oldest frame, as it was lent or copied. */
    MemorySegment oldestPayload() {
        int slot = (int) acknowledged & MASK;
        MemorySegment memory = lent[slot];
        return memory == null
                ? ring.asSlice(place(starts[slot]) + Packet.FRAME_BYTES, payloadBytes[slot])
                : memory;
    }

    /** Who waits for the payload of the oldest frame to be free; null: nobody. */
    @Nullable SendListener listener() {
        return listeners[(int) acknowledged & MASK];
    }

    /** The token of the oldest frame. */
    long token() {
        return tokens[(int) acknowledged & MASK];
    }

    boolean isLending() {
        return lentBytes > 0;
    }

    /** How many frames it has ever taken. */
    long sent() {
        return end;
    }

    boolean isEmpty() {
        return acknowledged == end;
    }

    long unwrittenBytes() {
        return unwrittenBytes;
    }
}
