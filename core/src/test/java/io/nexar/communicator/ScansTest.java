package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;

/** scan and exclusiveScan, in place and not. */
@Timeout(120)
class ScansTest {
    /** 32 longs to a slice. */
    private static final NexarConfig CONFIG =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "256")
                    .with("nexar.collective.hostPieceBytes", "256")
                    .with("nexar.collective.creditBytes", "512");

    private static final List<Algorithm> ALGORITHMS =
            List.of(Algorithm.AUTO, Algorithm.HILLIS_STEELE, Algorithm.RING);

    private static long value(int rank, int index) {
        return 100 + rank + 1_000L * index;
    }

    /** The sum of the values of so many ranks. */
    private static long prefix(int ranks, int index) {
        long sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += value(rank, index);
        }
        return sum;
    }

    // Pitfall 22: an exclusive scan is the sum of the ranks before, exactly.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void eachRankGetsTheSumUpToItself(int size) {
        try (LocalCluster cluster = LocalCluster.start(size, CONFIG)) {
            cluster.run(world -> {
                for (Algorithm algorithm : ALGORITHMS) {
                    for (int count : new int[] {0, 1, 33, 101}) {
                        scan(world.withAlgorithm(algorithm), count);
                        exclusiveScan(world.withAlgorithm(algorithm), count);
                    }
                }
            });
        }
    }

    private static void scan(Communicator world, int count) {
        int rank = world.rank();
        String what = "scan of %d on %d".formatted(count, rank);
        Longs send = Longs.of(1, count, i -> value(rank, i));
        Longs receive = Longs.untouched(3, count);
        world.scan(send.buffer(), receive.buffer(), ReduceOp.SUM);
        send.require(what, i -> value(rank, i));
        receive.require(what, i -> prefix(rank + 1, i));
        world.async().scan(send.buffer(), send.buffer(), ReduceOp.SUM).await();
        send.require(what + " in place", i -> prefix(rank + 1, i));
    }

    private static void exclusiveScan(Communicator world, int count) {
        int rank = world.rank();
        String what = "exclusiveScan of %d on %d".formatted(count, rank);
        Longs send = Longs.of(1, count, i -> value(rank, i));
        Longs receive = Longs.untouched(3, count);
        world.exclusiveScan(send.buffer(), receive.buffer(), ReduceOp.SUM);
        send.require(what, i -> value(rank, i));
        receive.require(what, i -> prefix(rank, i));
        world.async().exclusiveScan(send.buffer(), send.buffer(), ReduceOp.SUM).await();
        send.require(what + " in place", i -> prefix(rank, i));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theFirstRankGetsTheIdentity(int size) {
        ReduceOp gcd = ReduceOp.ofLongs("gcd", ScansTest::gcd).withIdentity(0L);
        try (LocalCluster cluster = LocalCluster.start(size, CONFIG)) {
            cluster.run(world -> {
                assertThat(firstOf(world, ReduceOp.SUM)).isZero();
                assertThat(firstOf(world, ReduceOp.PROD)).isEqualTo(1);
                assertThat(firstOf(world, ReduceOp.MIN)).isEqualTo(Long.MAX_VALUE);
                assertThat(firstOf(world, ReduceOp.MAX)).isEqualTo(Long.MIN_VALUE);
                assertThat(firstOf(world, ReduceOp.BAND)).isEqualTo(-1);
                assertThat(firstOf(world, ReduceOp.LAND)).isEqualTo(1);
                assertThat(firstOf(world, ReduceOp.LXOR)).isZero();
                assertThat(firstOf(world, gcd)).isZero();
            });
        }
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** What rank 0 gets; on others what it has to be. */
    private static long firstOf(Communicator world, ReduceOp op) {
        long[] result = {7 + world.rank()};
        DataBuffer buffer = DataBuffer.of(result);
        world.exclusiveScan(buffer, buffer, op);
        world.broadcast(buffer, 0);
        return result[0];
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void logicalOperationsGiveZeroOrOneOnEveryRank(int size) {
        try (LocalCluster cluster = LocalCluster.start(size, CONFIG)) {
            cluster.run(world -> {
                for (Algorithm algorithm : ALGORITHMS) {
                    for (ReduceOp op : List.of(ReduceOp.LAND, ReduceOp.LOR, ReduceOp.LXOR)) {
                        logical(world.withAlgorithm(algorithm), op);
                    }
                }
            });
        }
    }

    /** Rank r has a 0 at element r, and other values than 1 everywhere else. */
    private static void logical(Communicator world, ReduceOp op) {
        int rank = world.rank();
        Longs send = Longs.of(0, 40, i -> i == rank ? 0 : 5 + i);
        Longs receive = Longs.untouched(0, 40);
        world.scan(send.buffer(), receive.buffer(), op);
        receive.require(op.name(), i -> logical(op, rank + 1, i));
        send.require(op.name(), i -> i == rank ? 0 : 5 + i);
        world.exclusiveScan(send.buffer(), send.buffer(), op);
        send.require("exclusive " + op.name(), i -> logical(op, rank, i));
    }

    private static long logical(ReduceOp op, int ranks, int index) {
        int zeros = index < ranks ? 1 : 0;
        if (op == ReduceOp.LAND) {
            return zeros == 0 ? 1 : 0;
        }
        int ones = ranks - zeros;
        return op == ReduceOp.LOR ? Math.min(ones, 1) : ones % 2;
    }

    // Pitfall 20: what does not commute is combined in the order of the ranks.
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8})
    void mapsAreComposedInRankOrder(int size) {
        ReduceOp compose =
                ReduceOp.ofLongs("compose", ScansTest::compose)
                        .nonCommutative()
                        .withIdentity(1L << 32);
        try (LocalCluster cluster = LocalCluster.start(size, CONFIG)) {
            cluster.run(world -> {
                int rank = world.rank();
                for (Algorithm algorithm : ALGORITHMS) {
                    Communicator view = world.withAlgorithm(algorithm);
                    Longs send = Longs.of(0, 40, i -> map(rank, i));
                    Longs receive = Longs.untouched(0, 40);
                    view.scan(send.buffer(), receive.buffer(), compose);
                    receive.require("scan", i -> composed(rank + 1, i));
                    view.exclusiveScan(send.buffer(), receive.buffer(), compose);
                    receive.require("exclusiveScan", i -> composed(rank, i));
                }
                for (Algorithm algorithm : PlanCatalog.algorithms(Operation.REDUCE)) {
                    Longs data = Longs.of(0, 40, i -> map(rank, i));
                    world.withAlgorithm(algorithm)
                            .reduce(data.buffer(), data.buffer(), compose, size - 1);
                    if (rank == size - 1) {
                        data.require("reduce by " + algorithm, i -> composed(size, i));
                    }
                }
            });
        }
    }

    /** The map x to a * x + b of 32-bit numbers, a above b. */
    private static long map(int rank, int index) {
        return (2L * rank + 3) << 32 | 7L * index + rank + 1;
    }

    /** First left, then right. */
    private static long compose(long left, long right) {
        int a = (int) (left >>> 32) * (int) (right >>> 32);
        int b = (int) left * (int) (right >>> 32) + (int) right;
        return (long) a << 32 | Integer.toUnsignedLong(b);
    }

    private static long composed(int ranks, int index) {
        long result = 1L << 32;
        for (int rank = 0; rank < ranks; rank++) {
            result = compose(result, map(rank, index));
        }
        return result;
    }

    // Pitfall 8: unsigned bytes wrap in a scan, whatever the order of the ranks.
    @Test
    void bytesWrapInAScanAlsoOnACommunicatorInReverseOrder() {
        try (LocalCluster cluster = LocalCluster.start(3, CONFIG)) {
            cluster.run(world -> {
                try (Communicator reversed = world.split(0, -world.rank()).orElseThrow()) {
                    for (Communicator each : List.of(world, reversed)) {
                        byte[] data = {(byte) 200};
                        DataBuffer buffer = DataBuffer.of(data, DataType.U8);
                        each.scan(buffer, buffer, ReduceOp.SUM);
                        int[] expected = {200, 144, 88};
                        assertThat(data[0] & 0xFF).isEqualTo(expected[each.rank()]);
                    }
                }
            });
        }
    }

    @Test
    void whatCannotBeRightIsRefusedBeforeAByteMoves() {
        ReduceOp nameless = ReduceOp.ofLongs("no identity", (left, right) -> left + right);
        try (LocalCluster cluster = LocalCluster.start(2, CONFIG)) {
            cluster.run(world -> {
                long[] data = {1, 2, 3};
                DataBuffer three = DataBuffer.of(data);
                DataBuffer two = DataBuffer.of(data, 0, 2);
                refused(() -> world.scan(three, three, ReduceOp.AVG), "scan with AVG");
                refused(
                        () -> world.async().exclusiveScan(three, three, ReduceOp.AVG),
                        "exclusiveScan with AVG");
                refused(() -> world.exclusiveScan(three, three, nameless), "no identity");
                refused(() -> world.scan(three, two, ReduceOp.SUM), "must have 3");
                refused(() -> world.scan(two, DataBuffer.of(data, 1, 2), ReduceOp.SUM), "overlap");
                refused(
                        () ->
                                world.scan(
                                        DataBuffer.of(new float[1]),
                                        DataBuffer.of(new float[1]),
                                        ReduceOp.BAND),
                        "does not have this operation");
                world.scan(three, three, nameless);
                assertThat(data)
                        .isEqualTo(
                                Arrays.stream(new long[] {1, 2, 3})
                                        .map(value -> value * (world.rank() + 1))
                                        .toArray());
            });
        }
    }

    @Test
    void aBufferThatIsClosedBeforeTheEndBreaksTheCommunicatorWithThatReason() {
        DataBuffer closed;
        try (Arena arena = Arena.ofShared()) {
            closed = DataBuffer.of(arena.allocate(8, 8), DataType.I64);
        }
        try (LocalCluster cluster = LocalCluster.start(2, CONFIG)) {
            cluster.run(world -> {
                DataBuffer send = DataBuffer.of(new long[1]);
                if (world.rank() == 0) {
                    // Rank 0's part needs nobody, and this memory only at the end.
                    assertThatIllegalStateException()
                            .isThrownBy(() -> world.exclusiveScan(send, closed, ReduceOp.SUM))
                            .withMessageContaining("exclusiveScan #0")
                            .withMessageContaining("closed before the call was over");
                    assertThatIllegalStateException()
                            .isThrownBy(world::barrier)
                            .withMessageContaining("exclusiveScan #0");
                }
            });
        }
    }

    private static void refused(Runnable call, String rule) {
        assertThatIllegalArgumentException().isThrownBy(call::run).withMessageContaining(rule);
    }
}
