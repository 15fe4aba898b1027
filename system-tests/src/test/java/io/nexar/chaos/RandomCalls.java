package io.nexar.chaos;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.ReduceOp;

import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Calls drawn from a random seed, the same on every rank, each compared with what it must give. A
 * rank's data is a function of (seed, call, rank, element), so that every rank knows all of it.
 */
final class RandomCalls {

    /** From nothing over a datagram's size and one piece to many pieces. */
    private static final int[] COUNTS = {0, 1, 7, 150, 2_000, 9_000, 40_000};

    private final Communicator world;
    private final long randomSeed;
    private long call;

    RandomCalls(Communicator world, long randomSeed) {
        this.world = world;
        this.randomSeed = randomSeed;
    }

    void run(int calls) {
        for (int i = 0; i < calls; i++) {
            next();
        }
    }

    void next() {
        Random random = new Random(randomSeed * 1_000_003 + call);
        int count = COUNTS[random.nextInt(COUNTS.length)];
        int root = random.nextInt(world.size());
        switch (random.nextInt(6)) {
            case 0 -> world.barrier();
            case 1 -> broadcast(count, root);
            case 2 -> allReduce(count);
            case 3 -> allGather(count);
            case 4 -> ring(count);
            default -> sameBits(count);
        }
        call++;
    }

    private void broadcast(int count, int root) {
        long[] buffer = world.rank() == root ? data(root, count) : new long[count];
        world.broadcast(DataBuffer.of(buffer), root);
        require(buffer, data(root, count), "broadcast from " + root);
    }

    private void allReduce(int count) {
        long[] buffer = data(world.rank(), count);
        world.allReduce(DataBuffer.of(buffer), ReduceOp.SUM);
        long[] expected = new long[count];
        for (int rank = 0; rank < world.size(); rank++) {
            long[] part = data(rank, count);
            for (int i = 0; i < count; i++) {
                expected[i] += part[i];
            }
        }
        require(buffer, expected, "allReduce");
    }

    private void allGather(int count) {
        long[] gathered = new long[count * world.size()];
        world.allGather(DataBuffer.of(data(world.rank(), count)), DataBuffer.of(gathered));
        long[] expected = new long[gathered.length];
        for (int rank = 0; rank < world.size(); rank++) {
            System.arraycopy(data(rank, count), 0, expected, rank * count, count);
        }
        require(gathered, expected, "allGather");
    }

    /** A message to the next rank, one from the one before, and the other way round. */
    private void ring(int count) {
        int size = world.size();
        int next = (world.rank() + 1) % size;
        int before = (world.rank() + size - 1) % size;
        long[] got = new long[count];
        world.sendReceive(
                DataBuffer.of(data(world.rank(), count)), next, 5, DataBuffer.of(got), before, 5);
        require(got, data(before, count), "message from " + before);
    }

    /**
     * A sum of floats has no exact value to compare with, but must have the same bits everywhere.
     */
    private void sameBits(int count) {
        SplittableRandom random = new SplittableRandom(randomSeed ^ (call << 8) ^ world.rank());
        double[] values = random.doubles(count).toArray();
        world.allReduce(DataBuffer.of(values), ReduceOp.SUM);
        long[] hashes = new long[world.size()];
        world.allGather(DataBuffer.of(new long[] {Arrays.hashCode(values)}), DataBuffer.of(hashes));
        if (Arrays.stream(hashes).distinct().count() != 1) {
            throw new AssertionError(
                    "%s: ranks have different sums: %s".formatted(this, Arrays.toString(hashes)));
        }
    }

    private long[] data(int rank, int count) {
        long[] values = new long[count];
        long key = randomSeed * 0x9E3779B97F4A7C15L + call * 1_000_003 + rank;
        for (int i = 0; i < count; i++) {
            values[i] = (key + i) * 0xBF58476D1CE4E5B9L;
        }
        return values;
    }

    private void require(long[] got, long[] expected, String what) {
        int at = Arrays.mismatch(got, expected);
        if (at >= 0) {
            throw new AssertionError(
                    "%s: %s of %d: element %d is %d instead of %d"
                            .formatted(this, what, expected.length, at, got[at], expected[at]));
        }
    }

    @Override
    public String toString() {
        return "seed %d, call %d, rank %d of %d"
                .formatted(randomSeed, call, world.rank(), world.size());
    }
}
