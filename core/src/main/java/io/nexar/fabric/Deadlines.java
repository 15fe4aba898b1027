package io.nexar.fabric;

import java.util.PriorityQueue;

/**
 * What is to happen when a time has come, for operations that nobody waits for. Guarded by the
 * progress lock, but for {@code nextNanos}, which a leader reads before it parks (pairs with the
 * volatile write).
 */
public final class Deadlines {
    /** Below this many entries, those of operations that are over may stay. */
    private static final int PURGE_SIZE_MIN = 256;

    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private volatile long next = Long.MAX_VALUE;
    private int sizeToPurgeAt = PURGE_SIZE_MIN;

    private record Entry(long atNanos, Completion operation, Runnable onExpiry)
            implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            return Long.compare(atNanos - other.atNanos, 0);
        }
    }

    /** Runs {@code onExpiry} in a pass at or after {@code atNanos} unless the operation is over. */
    public void add(long atNanos, Completion operation, Runnable onExpiry) {
        if (entries.size() >= sizeToPurgeAt) {
            purge();
            sizeToPurgeAt = Math.max(PURGE_SIZE_MIN, 2 * entries.size());
        }
        entries.add(new Entry(atNanos, operation, onExpiry));
        refresh();
    }

    /** Lets go of the operations that are over. */
    void purge() {
        entries.removeIf(entry -> entry.operation().isDone());
        refresh();
    }

    /** When the next one is due; MAX_VALUE if none is. */
    long nextNanos() {
        return next;
    }

    /** Runs what is due. Returns how many there were. */
    int expire(long nowNanos) {
        int expired = 0;
        if (next == Long.MAX_VALUE) {
            return 0;
        }
        for (Entry first = entries.peek();
                first != null && (first.operation().isDone() || first.atNanos() - nowNanos <= 0);
                first = entries.peek()) {
            entries.remove();
            if (!first.operation().isDone()) {
                first.onExpiry().run();
                expired++;
            }
        }
        refresh();
        return expired;
    }

    private void refresh() {
        Entry first = entries.peek();
        next = first == null ? Long.MAX_VALUE : first.atNanos();
    }
}
