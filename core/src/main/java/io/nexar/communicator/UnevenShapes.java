package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.ReduceOp;

import java.util.Arrays;

/** The forms with a count of its own for each rank. */
final class UnevenShapes {
    private UnevenShapes() {}

    /**
     * The counts are the root's to know: two ranks agree on what one has for the other. Only a plan
     * that passes shares on needs them everywhere, and so they are kept for it.
     */
    static void gather(CollectiveSpec spec, int rank, int size) {
        Arguments.requireRank("root", spec.root(), size);
        DataBuffer send = spec.send();
        long[] counts = spec.receiveCounts().clone();
        if (rank == spec.root()) {
            DataBuffer receive = spec.receiveOnRoot();
            Arguments.requireWritable(receive);
            requireParts("a receive buffer", receive, counts, size);
            requireOwnShare(send, receive, counts, rank);
            spec.moves(send, receive, receive.count());
            spec.inPairs(only(rank, send.count(), size), counts);
        } else {
            spec.moves(send, null, send.count());
            spec.inPairs(only(spec.root(), send.count(), size), new long[size]);
        }
        spec.inShares(counts);
    }

    /** As in a gather. */
    static void scatter(CollectiveSpec spec, int rank, int size) {
        Arguments.requireRank("root", spec.root(), size);
        DataBuffer receive = spec.receive();
        Arguments.requireWritable(receive);
        long[] counts = spec.sendCounts().clone();
        if (rank == spec.root()) {
            DataBuffer send = spec.sendOnRoot();
            requireParts("a send buffer", send, counts, size);
            requireOwnShare(receive, send, counts, rank);
            spec.moves(send, receive, send.count());
            spec.inPairs(counts, only(rank, receive.count(), size));
        } else {
            spec.moves(null, receive, receive.count());
            spec.inPairs(new long[size], only(spec.root(), receive.count(), size));
        }
        spec.inShares(counts);
    }

    static void allGather(CollectiveSpec spec, int rank, int size) {
        DataBuffer send = spec.send();
        DataBuffer receive = spec.receive();
        Arguments.requireWritable(receive);
        long[] shares = spec.receiveCounts().clone();
        requireParts("a receive buffer", receive, shares, size);
        requireOwnShare(send, receive, shares, rank);
        spec.moves(send, receive, receive.count());
        spec.inShares(shares);
    }

    static void reduceScatter(CollectiveSpec spec, int rank, int size) {
        DataBuffer send = spec.send();
        DataBuffer receive = spec.receive();
        ReduceOp op = spec.op();
        Arguments.requireReducible(send, op);
        Arguments.requireWritable(receive);
        long[] shares = spec.sendCounts().clone();
        requireParts("a send buffer", send, shares, size);
        requireOwnShare(receive, send, shares, rank);
        Arguments.requireWholeItems(shares, op);
        spec.moves(send, receive, send.count());
        spec.inShares(shares);
    }

    static void allToAll(CollectiveSpec spec, int rank, int size) {
        DataBuffer send = spec.send();
        DataBuffer receive = spec.receive();
        Arguments.requireWritable(receive);
        Arguments.requireSameType(send, receive);
        long[] to = spec.sendCounts().clone();
        long[] from = spec.receiveCounts().clone();
        requireParts("a send buffer", send, to, size);
        requireParts("a receive buffer", receive, from, size);
        if (to[rank] != from[rank]) {
            throw new IllegalArgumentException(
                    "%d elements for this rank %d itself, but %d from it; both must be the same"
                            .formatted(to[rank], rank, from[rank]));
        }
        Arguments.requireSameOrApart(send, receive);
        spec.moves(send, receive, send.count());
        spec.inPairs(to, from);
        MovingShapes.copyFirst(spec);
    }

    /** Checks all counts of a gather or a scatter also where they are not the root's. */
    static void requireKnownShares(CollectiveSpec spec, long[] counts, int rank, int size) {
        if (rank != spec.root()) {
            Arguments.requireCounts(counts, size);
            requireOwnCount(spec.count(), counts, rank);
        }
    }

    private static void requireParts(String what, DataBuffer whole, long[] counts, int size) {
        Arguments.requireCounts(counts, size);
        Arguments.requireCount(what, whole, Arguments.sum(counts));
    }

    private static void requireOwnShare(
            DataBuffer part, DataBuffer whole, long[] counts, int rank) {
        Arguments.requireSameType(part, whole);
        requireOwnCount(part.count(), counts, rank);
        Arguments.requireOwnShareOrApart(part, whole, Arguments.offset(counts, rank));
    }

    private static void requireOwnCount(long own, long[] counts, int rank) {
        if (own != counts[rank]) {
            throw new IllegalArgumentException(
                    "%d elements on rank %d; its count in %s is %d"
                            .formatted(own, rank, Arrays.toString(counts), counts[rank]));
        }
    }

    private static long[] only(int rank, long count, int size) {
        long[] counts = new long[size];
        counts[rank] = count;
        return counts;
    }
}
