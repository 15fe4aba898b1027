package io.nexar.transport.quic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * Cuts the bytes of one lane into frames. A payload that lies in one buffer is handed out where it
 * lies; one that straddles buffers is gathered as they come, so that no frame, however large, has
 * to fit into the lane's bound as a whole (a receiver that waits for all of it and a sender that
 * waits for room would wait for ever). The polling thread's.
 */
final class FrameReader {
    private static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]);

    private final IncomingLane lane;
    private final ByteBufAllocator allocator;
    private final Runnable resumeReading;
    private final FrameHeader header = new FrameHeader();
    private final MemorySegment headerBytes = MemorySegment.ofArray(new byte[FrameHeader.BYTES]);
    private int headerFill;

    private @Nullable ByteBuf current;
    private MemorySegment view = EMPTY;
    private long at;

    private @Nullable ByteBuf staging;
    private MemorySegment stagingView = EMPTY;
    private int stagingFill;
    private MemorySegment payload = EMPTY;

    FrameReader(IncomingLane lane, ByteBufAllocator allocator, Runnable resumeReading) {
        this.lane = lane;
        this.allocator = allocator;
        this.resumeReading = resumeReading;
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
        if (staging == null) {
            if (view.byteSize() - at >= bytes) {
                payload = view.asSlice(at, bytes);
                at += bytes;
                return true;
            }
            ByteBuf gathered = allocator.directBuffer(bytes, bytes);
            staging = gathered;
            stagingView = MemorySegment.ofBuffer(gathered.nioBuffer(0, bytes));
            stagingFill = 0;
        }
        long copied = Math.min(bytes - stagingFill, view.byteSize() - at);
        MemorySegment.copy(view, at, stagingView, stagingFill, copied);
        stagingFill += (int) copied;
        at += copied;
        payload = stagingView;
        return stagingFill == bytes;
    }

    private boolean refill() {
        freeCurrent();
        ByteBuf next = lane.take();
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
            if (lane.isReadableAfter(bytes)) {
                resumeReading.run();
            }
        }
    }

    private void freeStaging() {
        ByteBuf gathered = staging;
        if (gathered != null) {
            staging = null;
            stagingView = EMPTY;
            gathered.release();
        }
    }
}
