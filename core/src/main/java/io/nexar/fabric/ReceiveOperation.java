package io.nexar.fabric;

import io.nexar.TruncationException;
import io.nexar.memory.ClosedArena;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/** A receive that waits for its message. Guarded by the progress lock. */
public final class ReceiveOperation extends MessageWait {
    MessageMemory target;
    private final long bytesMax;
    private final @Nullable LongFunction<MemorySegment> fitted;

    /** Of a small message that is coming to this memory, before it is matched; null: none is. */
    @Nullable Placement expected;

    ReceiveOperation(int source, int tag, MessageMemory target) {
        super(source, tag);
        this.target = target;
        this.bytesMax = target.byteSize();
        this.fitted = null;
    }

    /**
     * @param fitted makes the memory when a message's size is known
     */
    ReceiveOperation(int source, int tag, long bytesMax, LongFunction<MemorySegment> fitted) {
        super(source, tag);
        this.target = MessageMemory.of();
        this.bytesMax = bytesMax;
        this.fitted = fitted;
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
        if (message.bytes > bytesMax) {
            fail(new TruncationException(null, status(), bytesMax));
            return false;
        }
        if (fitted != null) {
            target = MessageMemory.of(fitted.apply(message.bytes));
        }
        return true;
    }

    /** Forgets the message it had accepted. */
    void giveBack() {
        matched(null);
    }

    /** Where so many bytes of the message are to go; null if they are to be written by it. */
    @Nullable MemorySegment destination(long at, long bytes) {
        return isDone() ? null : target.place(at, bytes);
    }

    /** Where a message of that size goes, if this takes it and has one place for it; else null. */
    @Nullable MemorySegment placeForAll(long bytes) {
        return fitted == null && bytes <= bytesMax ? destination(0, bytes) : null;
    }

    /** It gives up before it has met a message: what is coming to its memory goes elsewhere. */
    void part() {
        if (expected != null) {
            expected.keepAside();
        }
    }

    /** Writes a part of the message; memory that was closed meanwhile ends the receive. */
    void write(MemorySegment part, long bytes, long at) {
        if (isDone()) {
            return;
        }
        try {
            target.write(part, bytes, at);
        } catch (IllegalStateException closed) {
            ClosedArena.forgetInterrupt();
            fail(closed);
        }
    }
}
