package io.nexar.transport.shm;

import java.util.Map;
import java.util.TreeMap;

/** What is free of a stretch of memory, in offsets: the first that is long enough is taken. */
final class FreeRanges {
    static final long NONE = -1;

    /** From where a range begins to how long it is; neighbours are one. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    FreeRanges(long bytes) {
        ranges.put(0L, bytes);
    }

    /** Returns where so many bytes begin, which are now taken; {@link #NONE} if none are left. */
    synchronized long take(long bytes) {
        Map.Entry<Long, Long> range = ranges.firstEntry();
        while (range != null && range.getValue() < bytes) {
            range = ranges.higherEntry(range.getKey());
        }
        if (range == null) {
            return NONE;
        }
        long at = range.getKey();
        long left = range.getValue() - bytes;
        ranges.remove(at);
        if (left > 0) {
            ranges.put(at + bytes, left);
        }
        return at;
    }

    /** Gives back what was taken. */
    synchronized void give(long at, long bytes) {
        long begin = at;
        long end = at + bytes;
        Map.Entry<Long, Long> before = ranges.lowerEntry(at);
        if (before != null && before.getKey() + before.getValue() == at) {
            begin = before.getKey();
        }
        Long after = ranges.remove(end);
        ranges.put(begin, (after == null ? end : end + after) - begin);
    }
}
