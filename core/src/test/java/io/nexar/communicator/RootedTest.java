package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** reduce, gather and scatter, even and uneven, in place and not, with every root. */
@Timeout(120)
class RootedTest {
    /** 32 longs to a slice. */
    private static final NexarConfig CONFIG =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "256")
                    .with("nexar.collective.hostPieceBytes", "256")
                    .with("nexar.collective.creditBytes", "512");

    private static final int[] COUNTS = {0, 1, 33, 101};

    private static List<Algorithm> algorithms(Operation operation) {
        List<Algorithm> all = new ArrayList<>(PlanCatalog.algorithms(operation));
        all.add(Algorithm.AUTO);
        return all;
    }

    private static long value(int rank, int index) {
        return rank * 10_000L + index;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void theRootGetsWhatAllRanksHaveTogether(int size) {
        try (LocalCluster cluster = LocalCluster.start(size, CONFIG)) {
            cluster.run(world -> {
                for (Algorithm algorithm : algorithms(Operation.REDUCE)) {
                    for (int count : COUNTS) {
                        for (int root = 0; root < size; root++) {
                            reduce(world.withAlgorithm(algorithm), count, root);
                        }
                    }
                }
            });
        }
    }

    // Pitfall 17: a reduce leaves no partial sums in the buffers of ranks other than the root.
    private static void reduce(Communicator world, int count, int root) {
        int rank = world.rank();
        long size = world.size();
        String what = "reduce of %d to %d on %d".formatted(count, root, rank);
        Longs send = Longs.of(3, count, i -> value(rank, i));
        Longs receive = Longs.untouched(1, count);
        world.reduce(send.buffer(), receive.buffer(), ReduceOp.SUM, root);
        send.require(what, i -> value(rank, i));
        receive.require(
                what,
                i -> rank == root ? 5_000 * size * (size - 1) + i * size : -1_000_000_000L - i);
        boolean isRoot = rank == root;
        world.reduce(send.buffer(), isRoot ? send.buffer() : null, ReduceOp.MAX, root);
        send.require(what + " in place", i -> value(isRoot ? (int) size - 1 : rank, i));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void theRootGathersAndScattersInRankOrder(int size) {
        try (LocalCluster cluster = LocalCluster.start(size, CONFIG)) {
            cluster.run(world -> {
                for (Algorithm algorithm : algorithms(Operation.GATHER)) {
                    for (int count : COUNTS) {
                        for (int root = 0; root < size; root++) {
                            Communicator view = world.withAlgorithm(algorithm);
                            gather(view, count, root);
                            scatter(view, count, root);
                            new Uneven(size, count).gather(view, root);
                            new Uneven(size, count).scatter(view, root);
                        }
                    }
                }
            });
        }
    }

    private static void gather(Communicator world, int count, int root) {
        int rank = world.rank();
        String what = "gather of %d to %d on %d".formatted(count, root, rank);
        Longs send = Longs.of(7, count, i -> value(rank, i));
        Longs receive = Longs.untouched(1, count * world.size());
        world.gather(send.buffer(), receive.buffer(), root);
        send.require(what, i -> value(rank, i));
        receive.require(
                what, i -> rank == root ? value(i / count, i % count) : -1_000_000_000L - i);
        if (rank != root) {
            world.gather(send.buffer(), null, root);
            return;
        }
        Longs all =
                Longs.of(
                        0,
                        count * world.size(),
                        i -> i / count == rank ? value(rank, i % count) : -i);
        world.gather(all.buffer(rank * count, count), all.buffer(), root);
        all.require(what + " in place", i -> value(i / count, i % count));
    }

    private static void scatter(Communicator world, int count, int root) {
        int rank = world.rank();
        String what = "scatter of %d from %d on %d".formatted(count, root, rank);
        Longs send = Longs.of(1, count * world.size(), i -> value(i, 7));
        Longs receive = Longs.untouched(3, count);
        world.scatter(rank == root ? send.buffer() : null, receive.buffer(), root);
        send.require(what, i -> value(i, 7));
        receive.require(what, i -> value(rank * count + i, 7));
        DataBuffer own = rank == root ? send.buffer(rank * count, count) : receive.buffer();
        world.scatter(rank == root ? send.buffer() : null, own, root);
        send.require(what + " in place", i -> value(i, 7));
    }

    /** Rank r has r * step elements, so rank 0 has none. */
    private record Uneven(long[] counts, int[] first) {
        Uneven(int size, int step) {
            this(LongStream.range(0, size).map(rank -> rank * step).toArray(), new int[size + 1]);
            for (int rank = 0; rank < size; rank++) {
                first[rank + 1] = first[rank] + (int) counts[rank];
            }
        }

        private int owner(int index) {
            int rank = 0;
            while (index >= first[rank + 1]) {
                rank++;
            }
            return rank;
        }

        private int total() {
            return first[counts.length];
        }

        private long gathered(int index) {
            return value(owner(index), index - first[owner(index)]);
        }

        void gather(Communicator world, int root) {
            int rank = world.rank();
            String what = "uneven gather to %d on %d".formatted(root, rank);
            Longs send = Longs.of(1, (int) counts[rank], i -> value(rank, i));
            Longs receive = Longs.untouched(0, total());
            world.gather(send.buffer(), rank == root ? receive.buffer() : null, counts, root);
            send.require(what, i -> value(rank, i));
            receive.require(what, i -> rank == root ? gathered(i) : -1_000_000_000L - i);
            if (rank == root) {
                Longs all = Longs.of(2, total(), i -> owner(i) == rank ? gathered(i) : 0);
                DataBuffer own = all.buffer(first[rank], (int) counts[rank]);
                world.async().gather(own, all.buffer(), counts, root).await();
                all.require(what + " in place", this::gathered);
            } else {
                world.async().gather(send.buffer(), null, counts, root).await();
            }
        }

        void scatter(Communicator world, int root) {
            int rank = world.rank();
            String what = "uneven scatter from %d on %d".formatted(root, rank);
            Longs send = Longs.of(0, total(), this::gathered);
            Longs receive = Longs.untouched(1, (int) counts[rank]);
            DataBuffer whole = rank == root ? send.buffer() : null;
            world.scatter(whole, counts, receive.buffer(), root);
            receive.require(what, i -> value(rank, i));
            DataBuffer own =
                    rank == root ? send.buffer(first[rank], (int) counts[rank]) : receive.buffer();
            world.async().scatter(whole, counts, own, root).await();
            send.require(what + " in place", this::gathered);
            receive.require(what + " in place", i -> value(rank, i));
        }
    }

    @Test
    void onlyTheRootNeedsToKnowTheCounts() {
        try (LocalCluster cluster = LocalCluster.start(3, CONFIG)) {
            cluster.run(world -> {
                int rank = world.rank();
                long[] counts = rank == 1 ? new long[] {2, 0, 3} : new long[0];
                Longs own = Longs.of(0, new int[] {2, 0, 3}[rank], i -> value(rank, i));
                Longs all = Longs.untouched(0, 5);
                world.gather(own.buffer(), rank == 1 ? all.buffer() : null, counts, 1);
                Longs back = Longs.untouched(0, own.count());
                world.scatter(rank == 1 ? all.buffer() : null, counts, back.buffer(), 1);
                back.require("what came back", i -> value(rank, i));
            });
        }
    }

    // Pitfall 19: a root outside the world is refused on that rank, and the others are not harmed.
    @Test
    void whatCannotBeRightIsRefusedBeforeAByteMoves() {
        try (LocalCluster cluster = LocalCluster.start(2, CONFIG)) {
            cluster.run(world -> {
                DataBuffer one = DataBuffer.of(new long[1]);
                DataBuffer two = DataBuffer.of(new long[2]);
                long[] counts = {1, 1};
                for (int root : new int[] {-1, 2, Integer.MAX_VALUE}) {
                    refused(() -> world.broadcast(one, root), "root " + root);
                    refused(() -> world.reduce(one, one, ReduceOp.SUM, root), "root " + root);
                    refused(() -> world.gather(one, two, root), "root " + root);
                    refused(() -> world.gather(one, two, counts, root), "root " + root);
                    refused(() -> world.scatter(two, one, root), "root " + root);
                    refused(() -> world.async().scatter(two, counts, one, root), "root " + root);
                }
                int me = world.rank();
                refused(
                        () -> world.reduce(one, null, ReduceOp.SUM, me),
                        "without a receive buffer");
                refused(() -> world.gather(one, null, me), "without a receive buffer");
                refused(() -> world.gather(one, null, counts, me), "without a receive buffer");
                refused(() -> world.scatter(null, one, me), "without a send buffer");
                refused(() -> world.gather(one, one, me), "must have 2");
                refused(() -> world.gather(one, two, new long[] {1}, me), "1 counts for 2 ranks");
                refused(
                        () -> world.gather(one, two, new long[] {-1, 3}, me),
                        "count -1 for rank 0");
                refused(() -> world.gather(two, two, new long[] {1, 1}, me), "2 elements on rank");
                refused(() -> world.scatter(one, new long[] {1, 1}, one, me), "must have 2");
                refused(() -> world.gather(two.slice(1 - me, 1), two, me), "overlap");
                refused(() -> world.scatter(DataBuffer.of(new int[2]), one, me), "one type");
                refused(
                        () -> world.withAlgorithm(Algorithm.RING).gather(one, two, me),
                        "gather has no algorithm RING");
                DataBuffer readOnly = DataBuffer.of(two.segment().asReadOnly(), DataType.I64);
                refused(() -> world.gather(one, readOnly, me), "read-only");
                Longs sum = Longs.of(0, 1, i -> me);
                world.reduce(sum.buffer(), sum.buffer(), ReduceOp.SUM, 0);
                assertThat(sum.array()[0]).isEqualTo(1);
            });
        }
    }

    @Test
    void aPlanThatPassesSharesOnNeedsTheCountsOnEveryRank() {
        try (LocalCluster cluster = LocalCluster.start(3, CONFIG)) {
            cluster.run(world -> {
                Communicator tree = world.withAlgorithm(Algorithm.BINOMIAL_TREE);
                DataBuffer own = DataBuffer.of(new long[1]);
                if (world.rank() > 0) {
                    refused(() -> tree.gather(own, null, new long[0], 0), "0 counts for 3 ranks");
                    long[] other = new long[3];
                    Arrays.fill(other, 2);
                    refused(() -> tree.gather(own, null, other, 0), "its count in [2, 2, 2] is 2");
                }
            });
        }
    }

    private static void refused(Runnable call, String rule) {
        assertThatIllegalArgumentException().isThrownBy(call::run).withMessageContaining(rule);
    }
}
