package io.nexar.collective;

import org.jspecify.annotations.Nullable;

/**
 * The calls that are under way, by sequence. Sequences are handed out one by one, so a ring indexed
 * by their low bits finds a call without hashing or boxing; it grows to the span between the oldest
 * call and the newest.
 */
final class ActiveCalls {
    private static final int CAPACITY_FIRST = 16;

    private @Nullable Execution[] ring = new @Nullable Execution[CAPACITY_FIRST];
    private long oldest;
    private long next;

    ActiveCalls(long firstSequence) {
        oldest = firstSequence;
        next = firstSequence;
    }

    /** No call before this one is active. */
    long oldest() {
        return oldest;
    }

    /** The sequence of the next call; unsigned, so it is compared by differences. */
    long next() {
        return next;
    }

    @Nullable Execution find(long sequence) {
        long age = sequence - oldest;
        return age >= 0 && age < next - oldest ? ring[index(sequence)] : null;
    }

    void add(Execution execution) {
        if (next - oldest == ring.length) {
            grow();
        }
        ring[index(next)] = execution;
        next++;
    }

    void remove(Execution execution) {
        ring[index(execution.sequence())] = null;
        while (oldest != next && ring[index(oldest)] == null) {
            oldest++;
        }
    }

    private int index(long sequence) {
        return (int) sequence & (ring.length - 1);
    }

    private void grow() {
        @Nullable Execution[] old = ring;
        ring = new @Nullable Execution[2 * old.length];
        for (Execution execution : old) {
            if (execution != null) {
                ring[index(execution.sequence())] = execution;
            }
        }
    }
}
