package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.MismatchException;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** allReduce of a list: as many calls of one buffer each, in one. */
@Timeout(120)
class FusedTest {
    /** 32 longs to a slice. */
    private static final NexarConfig CONFIG =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "256")
                    .with("nexar.collective.hostPieceBytes", "256")
                    .with("nexar.collective.creditBytes", "512");

    /** Some are copied together, some are a slice and more, some are empty, also at both ends. */
    private static final List<int[]> LISTS =
            List.of(
                    new int[] {7},
                    new int[] {0},
                    new int[] {0, 0},
                    new int[] {0, 1, 5, 33, 200, 3, 0, 64, 2, 2, 0},
                    new int[] {100, 0, 100},
                    new int[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});

    private static long value(int rank, int list, int index) {
        return rank * 1_000_000L + list * 10_000L + index;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void eachBufferIsReducedAsIfAlone(int size) {
        List<Algorithm> algorithms = new ArrayList<>(PlanCatalog.algorithms(Operation.ALL_REDUCE));
        algorithms.add(Algorithm.AUTO);
        try (LocalCluster cluster = LocalCluster.start(size, CONFIG)) {
            cluster.run(world -> {
                for (Algorithm algorithm : algorithms) {
                    for (int[] counts : LISTS) {
                        reduce(world.withAlgorithm(algorithm), counts);
                    }
                }
            });
        }
    }

    private static void reduce(Communicator world, int[] counts) {
        int rank = world.rank();
        long size = world.size();
        List<Longs> data = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            int list = i;
            data.add(Longs.of(i % 4, counts[i], index -> value(rank, list, index)));
        }
        List<DataBuffer> buffers = data.stream().map(Longs::buffer).toList();
        world.allReduce(buffers, ReduceOp.SUM);
        world.async().allReduce(buffers, ReduceOp.MAX).await();
        long ranks = size * (size - 1) / 2 * 1_000_000;
        for (int i = 0; i < counts.length; i++) {
            int list = i;
            data.get(i).require("buffer " + i, index -> ranks + size * value(0, list, index));
        }
    }

    @Test
    void inDeterministicModeTheBitsAreThoseOfSingleCalls() {
        NexarConfig deterministic = CONFIG.with("nexar.deterministic", "true");
        try (LocalCluster cluster = LocalCluster.start(5, deterministic)) {
            cluster.run(world -> {
                int[] counts = {3, 40, 1, 500, 17, 0, 9};
                List<DataBuffer> single = random(world, counts);
                List<DataBuffer> fused = random(world, counts);
                single.forEach(buffer -> world.allReduce(buffer, ReduceOp.SUM));
                world.allReduce(fused, ReduceOp.SUM);
                for (int i = 0; i < counts.length; i++) {
                    assertThat(fused.get(i).segment().mismatch(single.get(i).segment()))
                            .as("buffer %d", i)
                            .isEqualTo(-1);
                }
            });
        }
    }

    /** Floats of every magnitude, off the heap. */
    private static List<DataBuffer> random(Communicator world, int[] counts) {
        Random random = new Random(20_261_128 + world.rank());
        List<DataBuffer> buffers = new ArrayList<>();
        for (int count : counts) {
            DataBuffer buffer = DataBuffer.allocate(DataType.F32, count);
            MemorySegment memory = buffer.segment();
            for (int i = 0; i < count; i++) {
                float value = (random.nextFloat() - 0.5f) * (1 << random.nextInt(30));
                memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
            }
            buffers.add(buffer);
        }
        return buffers;
    }

    @Test
    void anEmptyListIsNoCall() {
        try (LocalCluster cluster = LocalCluster.start(2, CONFIG)) {
            cluster.run(world -> {
                if (world.rank() == 0) {
                    world.allReduce(List.of(), ReduceOp.SUM);
                    assertThat(world.async().allReduce(List.of(), ReduceOp.SUM).isDone()).isTrue();
                }
                world.barrier();
            });
        }
    }

    // Pitfall 13: what is cut is cut by whole items, in each buffer by itself.
    @Test
    void buffersOfItemsAreCutByItems() {
        ReduceOp complexProduct =
                ReduceOp.of(
                        "complex product",
                        2,
                        (left, right, result, items) -> {
                            for (long i = 0; i < items; i++) {
                                product(left, right, result, i);
                            }
                        });
        try (LocalCluster cluster = LocalCluster.start(3, CONFIG)) {
            cluster.run(world -> {
                List<Longs> data = new ArrayList<>();
                for (int count : new int[] {2, 66, 4, 202}) {
                    data.add(Longs.of(0, count, i -> i % 2 == 0 ? 1 + i : 1 + world.rank()));
                }
                world.allReduce(data.stream().map(Longs::buffer).toList(), complexProduct);
                for (Longs each : data) {
                    each.require("items", i -> product(3, i - i % 2 + 1, i % 2 == 0));
                }
                DataBuffer odd = DataBuffer.of(new long[3]);
                DataBuffer even = DataBuffer.of(new long[2]);
                refused(
                        () -> world.allReduce(List.of(even, odd), complexProduct),
                        "3 elements for");
            });
        }
    }

    private static void product(
            MemorySegment left, MemorySegment right, MemorySegment result, long item) {
        long a = left.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, 2 * item);
        long b = left.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, 2 * item + 1);
        long c = right.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, 2 * item);
        long d = right.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, 2 * item + 1);
        result.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, 2 * item, a * c - b * d);
        result.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, 2 * item + 1, a * d + b * c);
    }

    /** The product over all ranks r of real + (1 + r) i. */
    private static long product(int size, long real, boolean isReal) {
        long a = real;
        long b = 1;
        for (int rank = 1; rank < size; rank++) {
            long next = a * real - b * (1 + rank);
            b = a * (1 + rank) + b * real;
            a = next;
        }
        return isReal ? a : b;
    }

    @Test
    void ranksThatCutTheirListsOtherwiseAreToldBothCalls() {
        try (LocalCluster cluster = LocalCluster.start(2, CONFIG)) {
            cluster.run(world -> {
                DataBuffer three = DataBuffer.of(new long[3]);
                DataBuffer five = DataBuffer.of(new long[5]);
                List<DataBuffer> list =
                        world.rank() == 0 ? List.of(three, five) : List.of(five, three);
                MismatchException failure =
                        catchThrowableOfType(
                                MismatchException.class,
                                () -> {
                                    world.allReduce(list, ReduceOp.SUM);
                                    world.barrier();
                                });
                assertThat(failure)
                        .hasMessageContaining(
                                "rank 0 calls allReduce #0 of 8 I64 (in 2 parts: 3, 5)")
                        .hasMessageContaining(
                                "rank 1 calls allReduce #0 of 8 I64 (in 2 parts: 5, 3)");
            });
        }
    }

    @Test
    void whatCannotBeRightIsRefusedBeforeAByteMoves() {
        try (LocalCluster cluster = LocalCluster.start(2, CONFIG)) {
            cluster.run(world -> {
                long[] data = new long[20];
                DataBuffer head = DataBuffer.of(data, 0, 11);
                DataBuffer tail = DataBuffer.of(data, 10, 10);
                DataBuffer floats = DataBuffer.of(new float[3]);
                DataBuffer readOnly = DataBuffer.of(floats.segment().asReadOnly(), DataType.F32);
                refused(() -> world.allReduce(List.of(tail, head), ReduceOp.SUM), "overlap");
                refused(() -> world.allReduce(List.of(head, head), ReduceOp.SUM), "overlap");
                refused(() -> world.allReduce(List.of(head, floats), ReduceOp.SUM), "one type");
                refused(
                        () -> world.allReduce(List.of(floats, readOnly), ReduceOp.SUM),
                        "read-only");
                refused(() -> world.allReduce(List.of(floats), ReduceOp.BAND), "does not have");
                world.allReduce(List.of(tail, DataBuffer.of(data, 0, 10)), ReduceOp.SUM);
            });
        }
    }

    private static void refused(Runnable call, String rule) {
        assertThatIllegalArgumentException().isThrownBy(call::run).withMessageContaining(rule);
    }
}
