package io.nexar.communicator;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Partition;
import io.nexar.ReduceOp;

import java.util.Objects;

/** What a call is checked for before a byte moves: each refusal names the value and the rule. */
final class Arguments {
    private Arguments() {}

    static void requireRank(String what, int rank, int size) {
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    "%s %d; ranks here go from 0 to %d".formatted(what, rank, size - 1));
        }
    }

    static void requireSource(int source, int size) {
        if (source != Communicator.ANY_SOURCE) {
            requireRank("source", source, size);
        }
    }

    static void requireTag(int tag) {
        if (tag < 0) {
            throw new IllegalArgumentException(
                    "tag %d; tags go from 0 to %d".formatted(tag, Integer.MAX_VALUE));
        }
    }

    static void requireTagOrAny(int tag) {
        if (tag != Communicator.ANY_TAG) {
            requireTag(tag);
        }
    }

    static void requireWritable(DataBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException(
                    "a read-only buffer (" + buffer + ") can't receive; give a writable one");
        }
    }

    static void requireSameType(DataBuffer send, DataBuffer receive) {
        if (send.dataType() != receive.dataType()) {
            throw new IllegalArgumentException(
                    "send buffer of %s and receive buffer of %s; both must have one type"
                            .formatted(send.dataType(), receive.dataType()));
        }
    }

    static void requireCount(String what, DataBuffer buffer, long count) {
        if (buffer.count() != count) {
            throw new IllegalArgumentException(
                    "%s of %d elements; here it must have %d"
                            .formatted(what, buffer.count(), count));
        }
    }

    /** Refuses a buffer that can't be cut into as many equal parts as there are ranks. */
    static void requireMultiple(String what, DataBuffer buffer, int size) {
        if (buffer.count() % size != 0) {
            throw new IllegalArgumentException(
                    "%s of %d elements for %d ranks; each needs as many"
                            .formatted(what, buffer.count(), size));
        }
    }

    /** Refuses an overlap, unless the two are the same memory. */
    @SuppressWarnings("ReferenceEquality") // The usual way to say it, and nothing to look at then.
    static void requireSameOrApart(DataBuffer send, DataBuffer receive) {
        if (send != receive && send.overlaps(receive) && !send.sameMemory(receive)) {
            throw new IllegalArgumentException(
                    "send buffer (%s) and receive buffer (%s) overlap; apart or the same is right"
                            .formatted(send, receive));
        }
    }

    /** Refuses an overlap, unless {@code part} is exactly that slice of {@code whole}. */
    static void requireOwnShareOrApart(DataBuffer part, DataBuffer whole, long offset) {
        if (part.overlaps(whole) && !whole.slice(offset, part.count()).sameMemory(part)) {
            throw new IllegalArgumentException(
                    ("the buffers (%s) and (%s) overlap; they must be apart, or the smaller one"
                                    + " this rank's own share of the other, %d elements from %d")
                            .formatted(part, whole, part.count(), offset));
        }
    }

    /** Refuses an operation that the type does not have, and a count that splits an item. */
    static void requireReducible(DataBuffer buffer, ReduceOp op) {
        Objects.requireNonNull(op, "op");
        if (!op.supports(buffer.dataType())) {
            throw new IllegalArgumentException(
                    "%s on %s; the type does not have this operation"
                            .formatted(op.name(), buffer.dataType()));
        }
        if (buffer.count() % op.itemWidth() != 0) {
            throw new IllegalArgumentException(
                    "%d elements for %s; its items have %d elements, which must divide the count"
                            .formatted(buffer.count(), op.name(), op.itemWidth()));
        }
    }

    /** Refuses counts of an uneven form that are not one for each rank. */
    static void requireCounts(long[] counts, int size) {
        if (counts.length != size) {
            throw new IllegalArgumentException(
                    "%d counts for %d ranks; each rank needs one".formatted(counts.length, size));
        }
        for (int i = 0; i < size; i++) {
            if (counts[i] < 0) {
                throw new IllegalArgumentException(
                        "count %d for rank %d; counts are 0 or more".formatted(counts[i], i));
            }
        }
    }

    /** Where a rank's share begins. */
    static long offset(long[] counts, int rank) {
        long offset = 0;
        for (int i = 0; i < rank; i++) {
            offset += counts[i];
        }
        return offset;
    }

    static void requireWholeItems(long[] counts, ReduceOp op) {
        for (long count : counts) {
            if (count % op.itemWidth() != 0) {
                throw new IllegalArgumentException(
                        "count %d for %s; its items have %d elements, which must divide each count"
                                .formatted(count, op.name(), op.itemWidth()));
            }
        }
    }

    static long sum(long[] counts) {
        long sum = 0;
        for (long count : counts) {
            sum = Math.addExact(sum, count);
        }
        return sum;
    }

    /** This rank's share of a buffer that is cut as evenly as can be. */
    static DataBuffer share(DataBuffer whole, int rank, int size, int itemWidth) {
        Partition items = new Partition(whole.count() / itemWidth, size);
        return whole.slice(items.offset(rank) * itemWidth, items.count(rank) * itemWidth);
    }
}
