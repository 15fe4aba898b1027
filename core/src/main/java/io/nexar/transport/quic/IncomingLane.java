package io.nexar.transport.quic;

import io.netty.buffer.ByteBuf;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * What has arrived on one lane and has not been polled. The event loop adds, the polling thread
 * takes. Above the bound the event loop stops reading the stream; QUIC's window then closes, and
 * the sender is held back. Guarded by its own lock, held for moments only.
 */
final class IncomingLane {
    /**
     * Four frames of the largest size, like the sender's bound. Buffers count by what they occupy,
     * not by what is in them.
     */
    static final long QUEUED_BYTES_MAX = 4L * FrameHeader.PAYLOAD_BYTES_MAX;

    private final Queue<ByteBuf> queue = new ArrayDeque<>();
    private long queuedBytes;
    private boolean isPaused;
    private boolean isDisposed;

    /** Event loop: takes over the buffer; true if reading must stop now. */
    synchronized boolean isFullAfter(ByteBuf buffer) {
        if (isDisposed) {
            buffer.release();
            return false;
        }
        queue.add(buffer);
        queuedBytes += buffer.capacity();
        if (isPaused || queuedBytes < QUEUED_BYTES_MAX) {
            return false;
        }
        isPaused = true;
        return true;
    }

    /** Poller: the next buffer, now the caller's; null if there is none. */
    synchronized @Nullable ByteBuf take() {
        return queue.poll();
    }

    /** Poller: a buffer was consumed; true if reading may go on. */
    synchronized boolean isReadableAfter(int consumedBytes) {
        queuedBytes -= consumedBytes;
        if (isPaused && queuedBytes <= QUEUED_BYTES_MAX / 2) {
            isPaused = false;
            return true;
        }
        return false;
    }

    synchronized boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Frees everything, and whatever still comes. */
    synchronized void dispose() {
        isDisposed = true;
        queue.forEach(ByteBuf::release);
        queue.clear();
    }
}
