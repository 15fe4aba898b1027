package io.nexar.transport.shm;

import io.nexar.transport.SendListener;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What one lane has lent and not got back, first in, first out; keeps the memory alive. The
 * progress thread's, but for {@link #isEmpty} and {@link #firstEnd}.
 */
final class Lends {
    /** The pieces that a peer may send before one is consumed, by default. */
    static final int MAX = 16;

    private final long[] ends = new long[MAX];
    private final @Nullable MemorySegment[] payloads = new MemorySegment[MAX];
    private final @Nullable SendListener[] listeners = new SendListener[MAX];
    private final long[] tokens = new long[MAX];
    private int first;
    private final AtomicInteger count = new AtomicInteger();

    boolean isEmpty() {
        return count.get() == 0;
    }

    boolean isFull() {
        return count.get() == MAX;
    }

    /** Where the record of the oldest ends. */
    long firstEnd() {
        return ends[first];
    }

    void add(long end, MemorySegment payload, SendListener listener, long token) {
        int slot = (first + count.get()) % MAX;
        ends[slot] = end;
        payloads[slot] = payload;
        listeners[slot] = listener;
        tokens[slot] = token;
        count.incrementAndGet();
    }

    /** Gives back the oldest. */
    void tellFirst() {
        int slot = first;
        SendListener listener = Objects.requireNonNull(listeners[slot]);
        payloads[slot] = null;
        listeners[slot] = null;
        first = (first + 1) % MAX;
        count.decrementAndGet();
        listener.onSent(tokens[slot]);
    }
}
