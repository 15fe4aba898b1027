package io.nexar.transport.quic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.nexar.memory.ClosedArena;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Function;

/**
 * Cuts the bytes of one lane into frames. A payload that lies in one buffer is handed out where it
 * lies; one that straddles buffers goes, as they come, to the place that its receiver names, or is
 * gathered. So no frame, however large, has to fit into the lane's bound as a whole (a receiver
 * that waits for all of it and a sender that waits for room would wait for ever). The polling
 * thread's.
 */
final class FrameReader {
    private static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]);

    /**
     * Where the bytes come from and go.
     *
     * @param places as {@link io.nexar.transport.FrameHandler#destination} has it
     * @param resume the stream may go on, since some bytes have been consumed
     */
    record Source(
            IncomingLane bytes,
            ByteBufAllocator allocator,
            Function<FrameHeader, @Nullable MemorySegment> places,
            Runnable resume) {}

    private final Source source;
    private final FrameHeader header = new FrameHeader();
    private final MemorySegment headerBytes = MemorySegment.ofArray(new byte[FrameHeader.BYTES]);
    private int headerFill;

    private @Nullable ByteBuf current;
    private MemorySegment view = EMPTY;
    private long at;

    /** Where a payload goes that comes in parts; null: none is under way. */
    private @Nullable MemorySegment place;

    private int placeFill;

    /** Whether the receiver has named the place, and is to be asked whether it still is one. */
    private boolean isNamed;

    private boolean isAskDue;
    private @Nullable ByteBuf staging;
    private MemorySegment payload = EMPTY;

    FrameReader(Source source) {
        this.source = source;
    }

    /**
     * What follows is read for whoever polls now: frames of other lanes, or something outside of a
     * poll, may have moved the place of a payload that is under way.
     */
    void begin() {
        isAskDue = isNamed;
    }

    /** Goes on to the next whole frame; false if its last byte has not arrived. */
    boolean next() {
        do {
            if (hasHeader() && hasPayload()) {
                return true;
            }
        } while (refill());
        return false;
    }

    FrameHeader header() {
        return header;
    }

    MemorySegment payload() {
        return payload;
    }

    /** The frame has been handled: frees what only it occupied. */
    void pass() {
        headerFill = 0;
        payload = EMPTY;
        place = null;
        isNamed = false;
        freeStaging();
        if (at == view.byteSize()) {
            freeCurrent();
        }
    }

    /** Whether bytes were taken that have not been looked at. */
    boolean hasLeftOver() {
        return current != null;
    }

    void dispose() {
        pass();
        freeCurrent();
    }

    private boolean hasHeader() {
        if (headerFill == FrameHeader.BYTES) {
            return true;
        }
        long bytes = Math.min(FrameHeader.BYTES - headerFill, view.byteSize() - at);
        MemorySegment.copy(view, at, headerBytes, headerFill, bytes);
        headerFill += (int) bytes;
        at += bytes;
        if (headerFill < FrameHeader.BYTES) {
            return false;
        }
        header.decode(headerBytes, 0);
        return true;
    }

    private boolean hasPayload() {
        int bytes = header.payloadBytes();
        long available = view.byteSize() - at;
        if (place == null) {
            if (available >= bytes) {
                payload = view.asSlice(at, bytes);
                at += bytes;
                return true;
            }
            if (available == 0) {
                return false; // all of it may lie in the next buffer
            }
            beginInParts();
        }
        if (available > 0) {
            keep((int) Math.min(bytes - placeFill, available));
        }
        payload = Objects.requireNonNull(place);
        return placeFill == bytes;
    }

    private void beginInParts() {
        MemorySegment named = named();
        isNamed = named != null;
        isAskDue = false;
        placeFill = 0;
        place = named == null ? gather() : named;
    }

    private @Nullable MemorySegment named() {
        MemorySegment named = source.places.apply(header);
        if (named != null && named.byteSize() != header.payloadBytes()) {
            throw new IllegalStateException(
                    "a place of %d bytes for a payload of %d"
                            .formatted(named.byteSize(), header.payloadBytes()));
        }
        return named;
    }

    private void keep(int bytes) {
        if (isAskDue) {
            isAskDue = false;
            MemorySegment now = named();
            isNamed = now != null;
            place = now == null ? gather() : now; // one that moved took along what it had
        }
        try {
            MemorySegment.copy(view, at, Objects.requireNonNull(place), placeFill, bytes);
        } catch (IllegalStateException closed) {
            ClosedArena.forgetInterrupt();
            isNamed = false;
            place = gather();
        }
        placeFill += bytes;
        at += bytes;
    }

    /** Memory of our own; of a place that is lost it has nothing, and nobody wants the rest. */
    private MemorySegment gather() {
        int bytes = header.payloadBytes();
        ByteBuf gathered = source.allocator.directBuffer(bytes, bytes);
        staging = gathered;
        return MemorySegment.ofBuffer(gathered.nioBuffer(0, bytes));
    }

    private boolean refill() {
        freeCurrent();
        ByteBuf next = source.bytes.take();
        if (next == null) {
            return false;
        }
        current = next;
        view = MemorySegment.ofBuffer(next.nioBuffer());
        at = 0;
        return true;
    }

    private void freeCurrent() {
        ByteBuf consumed = current;
        if (consumed != null) {
            current = null;
            view = EMPTY;
            at = 0;
            int bytes = consumed.capacity();
            consumed.release();
            if (source.bytes.isReadableAfter(bytes)) {
                source.resume.run();
            }
        }
    }

    private void freeStaging() {
        ByteBuf gathered = staging;
        if (gathered != null) {
            staging = null;
            gathered.release();
        }
    }
}
