package io.nexar.fabric;

import io.nexar.TruncationException;

import java.lang.foreign.MemorySegment;

/** A receive that waits for its message. Guarded by the progress lock. */
public final class ReceiveOperation extends MessageWait {
    final MessageMemory target;

    ReceiveOperation(int source, int tag, MessageMemory target) {
        super(source, tag);
        this.target = target;
    }

    @Override
    public String operation() {
        return "receive";
    }

    @Override
    void meet(Arrival message) {
        message.bind(this);
    }

    /** Takes this message for its own; false if it is too long, which ends the receive. */
    boolean accept(Arrival message) {
        matched(message.status());
        if (message.bytes <= target.byteSize()) {
            return true;
        }
        fail(new TruncationException(null, status(), target.byteSize()));
        return false;
    }

    /** Forgets the message it had accepted. */
    void giveBack() {
        matched(null);
    }

    /** Writes a part of the message; memory that was closed meanwhile ends the receive. */
    void write(MemorySegment part, long at) {
        if (isDone()) {
            return;
        }
        try {
            target.write(part, at);
        } catch (IllegalStateException closed) {
            fail(closed);
        }
    }
}
