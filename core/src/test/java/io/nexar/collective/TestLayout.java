package io.nexar.collective;

import io.nexar.Partition;
import io.nexar.collective.TestCollective.Shape;
import io.nexar.collective.plan.Operation;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Which elements of a collective's vector each rank's memory holds before and after, in plain loops
 * that know nothing of plans: the vector is cut into a share for each rank, or for each pair of
 * ranks.
 */
final class TestLayout {
    private final Shape shape;

    /** The first element of each share, and the end. */
    private final long[] offsets;

    private final long @Nullable [] given;

    private TestLayout(Shape shape, long[] offsets, long @Nullable [] given) {
        this.shape = shape;
        this.offsets = offsets;
        this.given = given;
    }

    static int shares(Operation operation, int size) {
        return operation == Operation.ALL_TO_ALL ? size * size : size;
    }

    /** As even as can be. */
    static TestLayout even(Shape shape) {
        Partition partition = new Partition(shape.count(), shares(shape.operation(), shape.size()));
        long[] offsets = new long[partition.parts() + 1];
        Arrays.setAll(offsets, partition::offset);
        return new TestLayout(shape, offsets, null);
    }

    /** These sizes, which all ranks know; in an allToAll each only its own. */
    static TestLayout of(Shape shape, long... itemsOfShare) {
        long[] offsets = new long[itemsOfShare.length + 1];
        for (int share = 0; share < itemsOfShare.length; share++) {
            offsets[share + 1] = offsets[share] + itemsOfShare[share];
        }
        if (offsets[itemsOfShare.length] != shape.count()) {
            throw new IllegalArgumentException("shares of another vector: " + shape);
        }
        return new TestLayout(shape, offsets, itemsOfShare);
    }

    void giveShares(CollectiveCall call, int rank) {
        int size = shape.size();
        if (given == null) {
            call.evenShares(shape.count());
        } else if (shape.operation() == Operation.ALL_TO_ALL) {
            long[] to = Arrays.copyOfRange(given, rank * size, (rank + 1) * size);
            long[] from =
                    IntStream.range(0, size).mapToLong(peer -> given[peer * size + rank]).toArray();
            call.pairShares(to, from);
        } else {
            call.shares(given);
        }
    }

    long[] input(int rank) {
        return switch (shape.operation()) {
            case BARRIER -> new long[0];
            case ALL_REDUCE, REDUCE_SCATTER, REDUCE, SCAN, EXCLUSIVE_SCAN -> everything();
            case BROADCAST, SCATTER -> rank == shape.root() ? everything() : new long[0];
            case ALL_GATHER, GATHER -> share(rank);
            case ALL_TO_ALL -> shares(peer -> rank * shape.size() + peer);
            case NEIGHBOR_EXCHANGE -> throw new IllegalArgumentException("a vector of its own");
        };
    }

    long[] output(int rank) {
        return switch (shape.operation()) {
            case BARRIER -> new long[0];
            case BROADCAST, ALL_REDUCE, ALL_GATHER, SCAN -> everything();
            case REDUCE, GATHER -> rank == shape.root() ? everything() : new long[0];
            case EXCLUSIVE_SCAN -> rank > 0 ? everything() : new long[0];
            case REDUCE_SCATTER, SCATTER -> share(rank);
            case ALL_TO_ALL -> shares(peer -> peer * shape.size() + rank);
            case NEIGHBOR_EXCHANGE -> throw new IllegalArgumentException("a vector of its own");
        };
    }

    /** Where in the whole vector a rank's own share begins, in operations that have one. */
    long ownShareOffset(int rank) {
        return shape.operation().isShared() ? offsets[rank] : 0;
    }

    /** Whose input an element comes from, where each has another one. */
    int ownerOf(long index) {
        int share = 0;
        while (index >= offsets[share + 1]) {
            share++;
        }
        return shape.operation() == Operation.ALL_TO_ALL ? share / shape.size() : share;
    }

    private long[] everything() {
        return LongStream.range(0, shape.count()).toArray();
    }

    private long[] share(int share) {
        return LongStream.range(offsets[share], offsets[share + 1]).toArray();
    }

    private long[] shares(IntUnaryOperator shareOfPeer) {
        return IntStream.range(0, shape.size())
                .map(shareOfPeer)
                .mapToObj(this::share)
                .flatMapToLong(Arrays::stream)
                .toArray();
    }
}
