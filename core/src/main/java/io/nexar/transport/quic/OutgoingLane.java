package io.nexar.transport.quic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * What one lane still has to send. The sending thread copies frames into buffers, small ones
 * together; the event loop writes the buffers to the stream and says when QUIC has taken them.
 *
 * <p>Bytes in flight are counted here, since a channel's writability may say yes without capacity.
 * Guarded by its own lock, which both threads hold for moments only.
 */
final class OutgoingLane {
    /** Four frames of the largest size: enough to keep the event loop busy between two flushes. */
    static final long IN_FLIGHT_BYTES_MAX = 4L * FrameHeader.PAYLOAD_BYTES_MAX;

    /** Where small frames meet: a page, about eighty control frames. */
    private static final int BUFFER_BYTES = 4096;

    private final ByteBufAllocator allocator;
    private final Queue<ByteBuf> filled = new ArrayDeque<>();
    private @Nullable ByteBuf open;
    private long inFlightBytes;
    private boolean isStarved;
    private boolean isClosed;

    OutgoingLane(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** Takes a copy of the frame, or nothing if the lane is full or closed. */
    synchronized boolean tryAppend(FrameHeader header, MemorySegment payload) {
        if (isClosed) {
            return false;
        }
        int bytes = FrameHeader.BYTES + header.payloadBytes();
        ByteBuf buffer = open;
        if (buffer == null || buffer.writableBytes() < bytes) {
            int capacity = Math.max(bytes, BUFFER_BYTES);
            if (inFlightBytes > 0 && inFlightBytes + capacity > IN_FLIGHT_BYTES_MAX) {
                isStarved = true;
                return false;
            }
            buffer = openNext(capacity);
        }
        MemorySegment target =
                MemorySegment.ofBuffer(buffer.nioBuffer(buffer.writerIndex(), bytes));
        header.encode(target, 0);
        MemorySegment.copy(payload, 0, target, FrameHeader.BYTES, header.payloadBytes());
        buffer.writerIndex(buffer.writerIndex() + bytes);
        return true;
    }

    private ByteBuf openNext(int capacity) {
        ByteBuf next = allocator.directBuffer(capacity, capacity);
        if (open != null) {
            filled.add(open);
        }
        open = next;
        inFlightBytes += capacity;
        return next;
    }

    /** What QUIC has not taken yet, in whole buffers. */
    synchronized long inFlightBytes() {
        return inFlightBytes;
    }

    /** Event loop: everything to write now; the caller owns it and reports each by its capacity. */
    synchronized List<ByteBuf> takeAll() {
        if (open != null) {
            filled.add(open);
            open = null;
        }
        List<ByteBuf> all = List.copyOf(filled);
        filled.clear();
        return all;
    }

    /** Event loop: QUIC has taken a buffer; true if the sender waits to hear of room. */
    synchronized boolean isSenderToWakeAfter(int writtenBytes) {
        inFlightBytes -= writtenBytes;
        if (isStarved && inFlightBytes <= IN_FLIGHT_BYTES_MAX / 2) {
            isStarved = false;
            return true;
        }
        return false;
    }

    synchronized void close() {
        isClosed = true;
        takeAll().forEach(ByteBuf::release);
    }
}
