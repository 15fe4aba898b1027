package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.ReduceOp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/** Calls on the very same buffers, one after the other: each is the one that was asked for. */
@Timeout(60)
class RepeatedCallTest {
    private static final int SIZE = 3;
    private static final int COUNT = 6;

    /** More than stay bound. */
    private static final int KINDS = 13;

    private static final int FRESH_CALLS = 12;

    /** Far more than what stays bound may have. */
    private static final int BIG_COUNT = 1 << 20;

    /** The buffers of one rank, used by all calls. */
    private static final class Buffers {
        final DataBuffer a = DataBuffer.allocate(DataType.I32, COUNT);
        final DataBuffer b = DataBuffer.allocate(DataType.I32, COUNT);
        final DataBuffer part = DataBuffer.allocate(DataType.I32, COUNT / SIZE);

        void fill(int rank, int step) {
            for (int i = 0; i < COUNT; i++) {
                set(a, i, value(rank, step, i));
                set(b, i, -value(rank, step, i));
            }
            for (int i = 0; i < COUNT / SIZE; i++) {
                set(part, i, 1000 + value(rank, step, i));
            }
        }
    }

    private static int value(int rank, int step, int index) {
        return (rank + 1) * 7919 + step * 31 + index * 3;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whateverIsRepeatedOrChangedInBetweenEachCallGivesItsOwnResult(long seed) {
        try (LocalCluster cluster = LocalCluster.start(SIZE)) {
            cluster.run(world -> {
                Random random = new Random(seed);
                Buffers buffers = new Buffers();
                int kind = 0;
                for (int step = 0; step < 400; step++) {
                    // As often the same once more as another one.
                    kind = random.nextBoolean() ? kind : random.nextInt(KINDS);
                    buffers.fill(world.rank(), step);
                    run(world, buffers, kind);
                    check(world.rank(), buffers, kind, step);
                }
            });
        }
    }

    private static void run(Communicator world, Buffers buffers, int kind) {
        switch (kind) {
            case 0 -> world.allReduce(buffers.a, buffers.b, ReduceOp.SUM);
            case 1 -> world.allReduce(buffers.a, buffers.b, ReduceOp.MAX);
            case 2 -> world.allReduce(buffers.b, buffers.a, ReduceOp.SUM);
            case 3 -> world.allReduce(buffers.a, ReduceOp.SUM);
            case 4 -> world.broadcast(buffers.a, 0);
            case 5 -> world.broadcast(buffers.a, 2);
            case 6 -> world.allGather(buffers.part, buffers.b);
            case 7 -> world.allGather(buffers.b);
            case 8 -> world.allReduce(buffers.a, buffers.b, ReduceOp.MIN);
            case 9 -> world.broadcast(buffers.b, 1);
            case 10 -> world.reduceScatter(buffers.a, buffers.part, ReduceOp.SUM);
            case 11 -> world.barrier();
            default -> world.allGather(buffers.part, buffers.b, new long[] {2, 2, 2});
        }
    }

    private static void check(int rank, Buffers buffers, int kind, int step) {
        for (int i = 0; i < COUNT; i++) {
            int sum = value(0, step, i) + value(1, step, i) + value(2, step, i);
            int own = value(rank, step, i);
            int owner = i / (COUNT / SIZE);
            int gathered = 1000 + value(owner, step, i % (COUNT / SIZE));
            String what = "kind %d, step %d, element %d".formatted(kind, step, i);
            int a =
                    switch (kind) {
                        case 2 -> -sum;
                        case 3 -> sum;
                        case 4 -> value(0, step, i);
                        case 5 -> value(2, step, i);
                        default -> own;
                    };
            int b =
                    switch (kind) {
                        case 0 -> sum;
                        case 1 -> value(2, step, i);
                        case 6, 12 -> gathered;
                        case 7 -> -value(owner, step, i);
                        case 8 -> value(0, step, i);
                        case 9 -> -value(1, step, i);
                        default -> -own;
                    };
            assertThat(get(buffers.a, i)).as("a, " + what).isEqualTo(a);
            assertThat(get(buffers.b, i)).as("b, " + what).isEqualTo(b);
        }
        for (int i = 0; i < COUNT / SIZE; i++) {
            int at = rank * (COUNT / SIZE) + i;
            int sum = value(0, step, at) + value(1, step, at) + value(2, step, at);
            int part = kind == 10 ? sum : 1000 + value(rank, step, i);
            assertThat(get(buffers.part, i))
                    .as("part, kind %d, step %d, element %d", kind, step, i)
                    .isEqualTo(part);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsLargeAndNotCalledAgainIsCollected(boolean areRequests) {
        try (LocalCluster cluster = LocalCluster.start(2)) {
            cluster.run(world -> {
                List<WeakReference<int[]>> arrays = new ArrayList<>();
                for (int call = 0; call < FRESH_CALLS; call++) {
                    int[] array = new int[BIG_COUNT];
                    arrays.add(new WeakReference<>(array));
                    DataBuffer buffer = DataBuffer.of(array);
                    if (areRequests) {
                        world.async().allReduce(buffer, ReduceOp.SUM).await();
                    } else {
                        world.allReduce(buffer, ReduceOp.SUM);
                    }
                    world.barrier();
                }
                long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                while (alive(arrays) > 1 && System.nanoTime() - until < 0) {
                    System.gc();
                }
                assertThat(alive(arrays)).as("of %d arrays", FRESH_CALLS).isLessThanOrEqualTo(1);
            });
        }
    }

    private static long alive(List<WeakReference<int[]>> arrays) {
        return arrays.stream().filter(array -> array.get() != null).count();
    }

    @Test
    void aCallThatIsRefusedInBetweenIsNotTakenForTheOneBefore() {
        try (LocalCluster cluster = LocalCluster.start(SIZE)) {
            cluster.run(world -> {
                Buffers buffers = new Buffers();
                for (int step = 0; step < 5; step++) {
                    buffers.fill(world.rank(), step);
                    world.allReduce(buffers.a, buffers.b, ReduceOp.SUM);
                    check(world.rank(), buffers, 0, step);
                    for (int again = 0; again < 2; again++) {
                        assertThatThrownBy(() ->
                                        world.allReduce(buffers.a, buffers.part, ReduceOp.SUM))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("2 elements");
                    }
                }
            });
        }
    }

    @Test
    void memoryThatWasClosedBetweenTwoCallsEndsTheSecond() {
        // Who fails early ends the call before, too, where that is not over.
        CyclicBarrier areBothThrough = new CyclicBarrier(2);
        try (LocalCluster cluster = LocalCluster.start(2)) {
            cluster.run(world -> {
                DataBuffer buffer;
                try (Arena arena = Arena.ofShared()) {
                    buffer = DataBuffer.of(arena.allocate(4L * COUNT, 4), DataType.I32);
                    for (int i = 0; i < 3; i++) {
                        world.allReduce(buffer, ReduceOp.SUM);
                    }
                    areBothThrough.await(10, TimeUnit.SECONDS);
                }
                // Whoever comes second may have heard of it from the other before it looks itself.
                assertThatThrownBy(() -> world.allReduce(buffer, ReduceOp.SUM))
                        .hasMessageContaining("was closed before the call was over");
            });
        }
    }

    private static void set(DataBuffer buffer, int index, int value) {
        buffer.segment().setAtIndex(ValueLayout.JAVA_INT, index, value);
    }

    private static int get(DataBuffer buffer, int index) {
        return buffer.segment().getAtIndex(ValueLayout.JAVA_INT, index);
    }
}
