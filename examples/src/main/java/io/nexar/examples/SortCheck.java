package io.nexar.examples;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.ReduceOp;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Whether keys on all ranks are sorted, and are the keys from before. No rank looks at another's
 * keys for that, so it would do for more than one process can hold: {@code exclusiveScan} tells
 * each rank the highest key before its own, and an {@code allReduce} compares counts and hashes.
 *
 * @param isSorted whether no key is lower than one before it, on all ranks together
 * @param isPermutation whether there are as many keys as before, of the same hash
 * @param largestShare how many keys the rank with the most has
 * @param all all keys, in rank order; on rank 0 only, elsewhere empty
 */
record SortCheck(boolean isSorted, boolean isPermutation, long largestShare, long[] all) {

    static SortCheck of(Communicator world, long[] before, long[] after) {
        long[] changes = {before.length - after.length, hash(before) - hash(after)};
        world.allReduce(DataBuffer.of(changes), ReduceOp.SUM);
        boolean isPermutation = changes[0] == 0 && changes[1] == 0;
        long[] unsorted = {isSortedHere(world, after) ? 0 : 1};
        world.allReduce(DataBuffer.of(unsorted), ReduceOp.SUM);
        long[] count = {after.length};
        long[] counts = new long[world.size()];
        world.allGather(DataBuffer.of(count), DataBuffer.of(counts));
        long total = world.rank() == 0 ? LongStream.of(counts).sum() : 0;
        long[] all = new long[Math.toIntExact(total)];
        world.gather(DataBuffer.of(after), DataBuffer.of(all), counts, 0);
        long largest = Arrays.stream(counts).max().orElseThrow();
        return new SortCheck(unsorted[0] == 0, isPermutation, largest, all);
    }

    /** A rank without keys passes on what came before it: the scan takes the maximum. */
    private static boolean isSortedHere(Communicator world, long[] keys) {
        long highest = Long.MIN_VALUE;
        boolean isSorted = true;
        for (long key : keys) {
            isSorted &= key >= highest;
            highest = Math.max(highest, key);
        }
        long[] last = {highest};
        long[] before = new long[1];
        world.exclusiveScan(DataBuffer.of(last), DataBuffer.of(before), ReduceOp.MAX);
        return isSorted && (keys.length == 0 || keys[0] >= before[0]);
    }

    /** A sum, so that the order does not count, of scattered keys, so that their values do. */
    private static long hash(long[] keys) {
        return LongStream.of(keys).map(key -> Streams.stream(0, key).nextLong()).sum();
    }
}
