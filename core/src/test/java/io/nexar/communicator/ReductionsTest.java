package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.Partition;
import io.nexar.RankFailuresException;
import io.nexar.ReduceOp;
import io.nexar.StandardReduceOp;
import io.nexar.reduce.Bits;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Every operation on every type over every transport, through the public interface. */
@Timeout(120)
class ReductionsTest {
    /** Small pieces, so that 1009 elements are many slices of every type. */
    private static final NexarConfig SMALL_PIECES =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "1KiB")
                    .with("nexar.collective.hostPieceBytes", "1KiB")
                    .with("nexar.collective.creditBytes", "2KiB")
                    .with("nexar.collective.piecesInFlight", "3");

    private static final int[] OFFSETS = {0, 1, 3, 7};
    private static final List<Algorithm> ALGORITHMS =
            List.of(Algorithm.AUTO, Algorithm.DIRECT, Algorithm.RECURSIVE_DOUBLING, Algorithm.RING);

    static Stream<Arguments> worlds() {
        return Stream.of("local", "shm", "tcp", "quic")
                .flatMap(transport ->
                        Stream.of(1, 2, 3, 5).map(size -> Arguments.of(transport, size)));
    }

    private static LocalCluster cluster(String transport, int size) {
        return LocalCluster.start(size, SMALL_PIECES.with("nexar.transport", transport));
    }

    // Pitfall 1: AVG divides in every collective; Pitfall 7: unsigned types; Pitfall 8: they wrap.
    // Pitfall 23: offsets of 1, 3, 7 elements, heap and off-heap, guards on both sides.
    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("worlds")
    void everyOperationOnEveryTypeEqualsExactArithmetic(String transport, int size) {
        try (LocalCluster cluster = cluster(transport, size)) {
            cluster.run(world -> {
                long seed = 0;
                for (DataType type : DataType.values()) {
                    for (StandardReduceOp op : StandardReduceOp.values()) {
                        for (int offset : OFFSETS) {
                            if (op.supports(type)) {
                                runOne(world, type, op, offset, ++seed);
                            }
                        }
                    }
                }
            });
        }
    }

    /** All ranks draw alike. */
    private static void runOne(
            Communicator world, DataType type, StandardReduceOp op, int offset, long seed) {
        Random random = new Random(seed);
        int size = world.size();
        int[] counts = {0, 1, size - 1, size, size + 1, 257, 1009};
        int count = counts[random.nextInt(counts.length)];
        Algorithm algorithm = ALGORITHMS.get(random.nextInt(ALGORITHMS.size()));
        ReductionCase each = new ReductionCase(type, op, count, offset, seed);
        each.allReduce(world, algorithm, random.nextBoolean());
        each.reduceScatter(world, random.nextBoolean());
    }

    // Pitfall 25: all ranks hold the same bits, whatever the values, NaNs with payloads among them.
    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("worlds")
    void allRanksEndWithTheSameBitsOfWildFloats(String transport, int size) {
        List<ReduceOp> ops =
                List.of(
                        ReduceOp.SUM,
                        ReduceOp.PROD,
                        ReduceOp.MIN,
                        ReduceOp.MAX,
                        ReduceOp.AVG,
                        ReduceOp.ofDoubles("sum of doubles", Double::sum));
        try (LocalCluster cluster = cluster(transport, size)) {
            for (DataType type : List.of(DataType.F16, DataType.BF16, DataType.F32, DataType.F64)) {
                for (ReduceOp op : ops) {
                    for (Algorithm algorithm : ALGORITHMS) {
                        List<ByteBuffer> results =
                                cluster.call(world ->
                                        wildResult(world.withAlgorithm(algorithm), type, op));
                        assertThat(new HashSet<>(results))
                                .as("results of %s of %s by %s", op.name(), type, algorithm)
                                .hasSize(1);
                    }
                }
            }
        }
    }

    private static ByteBuffer wildResult(Communicator world, DataType type, ReduceOp op) {
        Random random = new Random(4711 + world.rank());
        int count = 1009;
        MemorySegment memory = Bits.memory(type, (long) count * type.bytes(), false);
        for (int i = 0; i < count; i++) {
            Bits.put(memory, type, (long) i * type.bytes(), Bits.wild(type, random));
        }
        world.allReduce(DataBuffer.of(memory, type), op);
        return ByteBuffer.wrap(memory.toArray(ValueLayout.JAVA_BYTE));
    }

    // Pitfall 20: a product of matrices depends on the order of the ranks.
    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("worlds")
    void itemsOfSeveralElementsAreCombinedInRankOrder(String transport, int size) {
        ReduceOp product =
                ReduceOp.of("2 x 2 product", 4, ReductionsTest::multiply).nonCommutative();
        try (LocalCluster cluster = cluster(transport, size)) {
            for (int matrices : new int[] {0, 1, 3, 257}) {
                int[] expected = matrices(0, matrices);
                for (int rank = 1; rank < size; rank++) {
                    int[] right = matrices(rank, matrices);
                    for (int i = 0; i < matrices; i++) {
                        multiply(expected, right, i);
                    }
                }
                cluster.run(world -> {
                    int[] own = matrices(world.rank(), matrices);
                    world.allReduce(DataBuffer.of(own), product);
                    assertThat(own).isEqualTo(expected);
                    int[] parts = matrices(world.rank(), matrices);
                    DataBuffer share = world.reduceScatter(DataBuffer.of(parts), product);
                    Partition shares = new Partition(matrices, size);
                    int from = (int) shares.offset(world.rank()) * 4;
                    int to = from + (int) shares.count(world.rank()) * 4;
                    assertThat(share.segment().toArray(ValueLayout.JAVA_INT))
                            .isEqualTo(Arrays.copyOfRange(expected, from, to));
                });
            }
            cluster.run(world ->
                    assertThatThrownBy(() -> world.allReduce(DataBuffer.of(new int[6]), product))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("6 elements"));
        }
    }

    private static int[] matrices(int rank, int count) {
        return new Random(rank).ints(4L * count).toArray();
    }

    private static void multiply(int[] left, int[] right, int item) {
        int at = 4 * item;
        int a = left[at] * right[at] + left[at + 1] * right[at + 2];
        int b = left[at] * right[at + 1] + left[at + 1] * right[at + 3];
        int c = left[at + 2] * right[at] + left[at + 3] * right[at + 2];
        int d = left[at + 2] * right[at + 1] + left[at + 3] * right[at + 3];
        System.arraycopy(new int[] {a, b, c, d}, 0, left, at, 4);
    }

    private static void multiply(
            MemorySegment left, MemorySegment right, MemorySegment result, long items) {
        int[] product = left.toArray(ValueLayout.JAVA_INT);
        int[] factors = right.toArray(ValueLayout.JAVA_INT);
        for (int i = 0; i < items; i++) {
            multiply(product, factors, i);
        }
        result.copyFrom(MemorySegment.ofArray(product));
    }

    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("worlds")
    void usersFunctionsReduceEveryTypeOfTheirFamily(String transport, int size) {
        ReduceOp leftmost = ReduceOp.ofDoubles("leftmost", (a, b) -> a).nonCommutative();
        ReduceOp largest = ReduceOp.ofLongs("largest", Math::max);
        try (LocalCluster cluster = cluster(transport, size)) {
            cluster.run(world -> {
                for (DataType type :
                        List.of(DataType.F16, DataType.BF16, DataType.F32, DataType.F64)) {
                    requireFirst(world, type, leftmost);
                }
                for (DataType type : DataType.values()) {
                    // Zero-extended, U64 aside, which is its bits: the unsigned largest is all
                    // ones.
                    if (type.isInteger() && type != DataType.U64) {
                        long bits = world.rank() == 0 ? -1 : 1;
                        long expected = type.isUnsigned() || world.size() == 1 ? -1 : 1;
                        requireAll(world, type, largest, bits, expected);
                    }
                }
            });
        }
    }

    private static void requireFirst(Communicator world, DataType type, ReduceOp op) {
        requireAll(world, type, op, 0x3C00 + world.rank(), 0x3C00);
    }

    private static void requireAll(
            Communicator world, DataType type, ReduceOp op, long bits, long expected) {
        int count = 301;
        MemorySegment memory = Bits.memory(type, (long) count * type.bytes(), false);
        MemorySegment all = Bits.memory(type, (long) count * type.bytes(), false);
        for (int i = 0; i < count; i++) {
            Bits.put(memory, type, (long) i * type.bytes(), bits);
            Bits.put(all, type, (long) i * type.bytes(), expected);
        }
        world.allReduce(DataBuffer.of(memory, type), op);
        assertThat(memory.mismatch(all)).as("%s of %s", op.name(), type).isEqualTo(-1);
    }

    @OnEachTransport
    void whatAUsersFunctionThrowsEndsTheCallOnEveryRank(String transport) {
        ReduceOp brittle = ReduceOp.ofLongs("brittle", (a, b) -> a / b);
        try (LocalCluster cluster = cluster(transport, 3)) {
            assertThatThrownBy(() ->
                            cluster.run(world ->
                                    world.allReduce(DataBuffer.of(new int[1000]), brittle)))
                    .isInstanceOfSatisfying(
                            RankFailuresException.class,
                            failure -> assertThat(failure.failures()).hasSize(3))
                    .hasStackTraceContaining("brittle")
                    .hasStackTraceContaining("ArithmeticException");
        }
    }

    // Pitfall 5: sums of halves stay within the bound that FloatOperations documents.
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8})
    void sumsOfHalvesStayWithinTheDocumentedBound(int size) {
        try (LocalCluster cluster = cluster("local", size)) {
            for (Algorithm algorithm : ALGORITHMS) {
                cluster.run(world -> {
                    short[] bf16 = new short[64];
                    Arrays.fill(bf16, (short) (world.rank() == 0 ? 0x4380 : 0x3F80));
                    world.withAlgorithm(algorithm)
                            .allReduce(DataBuffer.of(bf16, DataType.BF16), ReduceOp.SUM);
                    double exact = 256 + size - 1;
                    double bound = (size - 1) * 0x1p-8 * exact;
                    for (short each : bf16) {
                        double sum = Float.intBitsToFloat(each << 16);
                        assertThat(Math.abs(sum - exact)).isLessThanOrEqualTo(bound);
                    }
                });
            }
        }
    }

    // Pitfall 5: where one rank has all parts, 256 and seven ones in BF16 make 264, the nearest of
    // 263, and not 256.
    @Test
    void halvesThatMeetOnOneRankAreRoundedOnce() {
        try (LocalCluster cluster = cluster("local", 8)) {
            for (Algorithm algorithm :
                    List.of(Algorithm.AUTO, Algorithm.DIRECT, Algorithm.REDUCE_SCATTER_ALLGATHER)) {
                cluster.run(world -> {
                    short[] bf16 = new short[1000];
                    Arrays.fill(bf16, (short) (world.rank() == 0 ? 0x4380 : 0x3F80));
                    world.withAlgorithm(algorithm)
                            .allReduce(DataBuffer.of(bf16, DataType.BF16), ReduceOp.SUM);
                    for (short each : bf16) {
                        assertThat(Float.intBitsToFloat(each << 16)).isEqualTo(264);
                    }
                    short[] own = {(short) (world.rank() == 0 ? 0x4380 : 0x3F80)};
                    short[] whole = new short[1];
                    world.reduce(
                            DataBuffer.of(own, DataType.BF16),
                            DataBuffer.of(whole, DataType.BF16),
                            ReduceOp.SUM,
                            3);
                    int expected = world.rank() == 3 ? 264 : 0;
                    assertThat(Float.intBitsToFloat(whole[0] << 16)).isEqualTo(expected);
                });
            }
        }
    }

    // Pitfall 1: an operation that a type does not have throws, and never acts as another.
    @OnEachTransport
    void anOperationThatATypeDoesNotHaveIsRefusedAndHarmsNothing(String transport) {
        try (LocalCluster cluster = cluster(transport, 2)) {
            cluster.run(world -> {
                for (DataType type : DataType.values()) {
                    for (StandardReduceOp op : StandardReduceOp.values()) {
                        DataBuffer buffer = DataBuffer.allocate(type, 4);
                        if (!op.supports(type)) {
                            assertThatThrownBy(() -> world.allReduce(buffer, op))
                                    .isInstanceOf(IllegalArgumentException.class)
                                    .hasMessageContaining(op.name());
                            assertThatThrownBy(() -> world.reduceScatter(buffer, op))
                                    .isInstanceOf(IllegalArgumentException.class);
                        }
                    }
                }
                int[] ones = {1};
                world.allReduce(DataBuffer.of(ones), ReduceOp.SUM);
                assertThat(ones).containsExactly(2);
            });
        }
    }
}
