package io.nexar.fabric;

import io.nexar.Status;
import io.nexar.TruncationException;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/** A receive that waits for its message. Guarded by the progress lock. */
public final class ReceiveOperation extends Completion {
    /** Matches a message from any rank, or with any tag. */
    static final int ANY = -1;

    final int source;
    final int tag;
    final MemorySegment target;
    long begunNanos;
    private @Nullable Status status;
    private long seenNanos;
    private boolean isSeen;
    private boolean isTold;

    ReceiveOperation(int source, int tag, MemorySegment target) {
        this.source = source;
        this.tag = tag;
        this.target = target;
    }

    /** Who is to send; -1 for anybody. */
    public int source() {
        return source;
    }

    /** With which tag; -1 for any. */
    public int tag() {
        return tag;
    }

    /** Looks at it; returns how long ago the first look was. */
    public long look(long nowNanos) {
        if (!isSeen) {
            isSeen = true;
            seenNanos = nowNanos;
        }
        return nowNanos - seenNanos;
    }

    /** Notes that somebody has been told of its long wait. */
    public void markTold() {
        isTold = true;
    }

    public boolean isTold() {
        return isTold;
    }

    /** What came. To be asked once this is done without failure. */
    public Status status() {
        Status result = status;
        if (result == null) {
            throw new IllegalStateException("no message has been received");
        }
        return result;
    }

    boolean matches(Arrival message) {
        return (source == ANY || source == message.source) && (tag == ANY || tag == message.tag);
    }

    boolean isMatched() {
        return status != null;
    }

    /** Takes this message for its own; false if it is too long, which ends the receive. */
    boolean accept(Arrival message) {
        status = new Status(message.source, message.tag, message.bytes);
        if (message.bytes <= target.byteSize()) {
            return true;
        }
        fail(new TruncationException(null, status(), target.byteSize()));
        return false;
    }

    /** Forgets the message it had accepted. */
    void giveBack() {
        status = null;
    }

    /** Writes a part of the message; memory that was closed meanwhile ends the receive. */
    void write(MemorySegment part, long at) {
        if (isDone()) {
            return;
        }
        try {
            MemorySegment.copy(part, 0, target, at, part.byteSize());
        } catch (IllegalStateException closed) {
            fail(closed);
        }
    }
}
