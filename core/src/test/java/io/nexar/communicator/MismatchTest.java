package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.CallDescription;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.MismatchException;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;
import io.nexar.Request;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Every pair of calls that differ in one thing or in all, on every world: one rank makes the one
 * call, the others make the other. All of them learn both.
 */
@Timeout(600)
class MismatchTest {
    private static final boolean FULL = Boolean.getBoolean("nexar.test.full");

    /** What is promised. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    /** Small pieces, so that 1,000 elements are several slices. */
    private static final NexarConfig CONFIG =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "1KiB")
                    .with("nexar.collective.creditBytes", "2KiB");

    /** A call, and how people know it again. */
    private record Call(
            String text,
            Consumer<Communicator> blocking,
            Function<Communicator, Request<?>> async) {
        void make(Communicator world, boolean isBlocking) {
            if (isBlocking) {
                blocking.accept(world);
            } else {
                async.apply(world).await();
            }
        }
    }

    private record Pair(Call one, Call other) {}

    private static Call barrier() {
        return new Call("barrier", Communicator::barrier, world -> world.async().barrier());
    }

    private static Call broadcast(boolean isDouble, int count, int root) {
        return new Call(
                "broadcast #0 of %d %s, root %d".formatted(count, type(isDouble), root),
                world -> world.broadcast(buffer(world, isDouble, count), root),
                world -> world.async().broadcast(buffer(world, isDouble, count), root));
    }

    private static Call allReduce(boolean isDouble, int count, ReduceOp op) {
        return new Call(
                "allReduce #0 of %d %s with %s".formatted(count, type(isDouble), op.name()),
                world -> world.allReduce(buffer(world, isDouble, count), op),
                world -> world.async().allReduce(buffer(world, isDouble, count), op));
    }

    private static Call reduceScatter(boolean isDouble, int count, ReduceOp op) {
        return new Call(
                "reduceScatter #0 of %d %s with %s".formatted(count, type(isDouble), op.name()),
                world -> world.reduceScatter(buffer(world, isDouble, count), op),
                world -> world.async().reduceScatter(buffer(world, isDouble, count), op));
    }

    private static Call allGather(boolean isDouble, int count) {
        return new Call(
                "allGather #0 of %d %s".formatted(count, type(isDouble)),
                world -> world.allGather(buffer(world, isDouble, count)),
                world -> world.async().allGather(buffer(world, isDouble, count)));
    }

    private static String type(boolean isDouble) {
        return isDouble ? "F64" : "F32";
    }

    private static DataBuffer buffer(Communicator world, boolean isDouble, int count) {
        if (isDouble) {
            double[] data = new double[count];
            Arrays.setAll(data, i -> world.rank() * 10_000 + i);
            return DataBuffer.of(data);
        }
        float[] data = new float[count];
        for (int i = 0; i < count; i++) {
            data[i] = world.rank() * 10_000 + i;
        }
        return DataBuffer.of(data);
    }

    private static List<Pair> pairs() {
        ReduceOp sum = ReduceOp.SUM;
        List<Call> operations =
                List.of(
                        barrier(),
                        broadcast(false, 1000, 0),
                        allReduce(false, 1000, sum),
                        reduceScatter(false, 1000, sum),
                        allGather(false, 1000));
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            for (int j = 0; j < operations.size(); j++) {
                if (i != j) {
                    pairs.add(new Pair(operations.get(i), operations.get(j)));
                }
            }
        }
        for (boolean type : FULL ? new boolean[] {false, true} : new boolean[] {false}) {
            // Counts: one more; one that takes more slices; one that takes another algorithm.
            for (int[] counts : new int[][] {{1000, 1001}, {10, 2000}, {0, 1}, {20_000, 20_001}}) {
                pairs.add(new Pair(broadcast(type, counts[0], 0), broadcast(type, counts[1], 0)));
                pairs.add(
                        new Pair(allReduce(type, counts[0], sum), allReduce(type, counts[1], sum)));
                pairs.add(
                        new Pair(
                                reduceScatter(type, counts[0], sum),
                                reduceScatter(type, counts[1], sum)));
                pairs.add(new Pair(allGather(type, counts[0]), allGather(type, counts[1])));
            }
            pairs.add(new Pair(broadcast(type, 100, 0), broadcast(!type, 100, 0)));
            pairs.add(new Pair(allReduce(type, 100, sum), allReduce(!type, 100, sum)));
            pairs.add(new Pair(reduceScatter(type, 100, sum), reduceScatter(!type, 100, sum)));
            pairs.add(new Pair(allGather(type, 100), allGather(!type, 100)));
            pairs.add(new Pair(allReduce(type, 100, sum), allReduce(type, 100, ReduceOp.MAX)));
            pairs.add(
                    new Pair(
                            reduceScatter(type, 100, sum), reduceScatter(type, 100, ReduceOp.MIN)));
            pairs.add(new Pair(broadcast(type, 100, 0), broadcast(type, 100, 1)));
            pairs.add(new Pair(broadcast(type, 100, 1), broadcast(type, 100, 0)));
        }
        return pairs;
    }

    static Stream<Arguments> worlds() {
        return Stream.of("local", "quic")
                .flatMap(
                        transport -> Stream.of(2, 3, 5).map(size -> Arguments.of(transport, size)));
    }

    // Pitfall 35: counts, types, reductions and roots that differ are an error on every rank.
    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("worlds")
    void everyPairOfDifferingCallsIsNamedOnEveryRank(String transport, int size) {
        NexarConfig config = CONFIG.with("nexar.transport", transport);
        List<Pair> pairs = pairs();
        int stride = FULL || transport.equals("local") ? 1 : 9;
        try (LocalCluster cluster = LocalCluster.start(size, config)) {
            for (int i = 0; i < pairs.size(); i += stride) {
                for (int odd = 0; odd < size; odd += FULL ? 1 : size - 1) {
                    boolean isBlocking = (i + odd) % 2 == 0;
                    new Case(pairs.get(i), isBlocking, odd).run(cluster);
                    if (FULL) {
                        new Case(pairs.get(i), !isBlocking, odd).run(cluster);
                    }
                }
            }
        }
    }

    /**
     * One pair on a communicator of its own; the world it came from goes on.
     *
     * @param odd the rank that makes the one call
     */
    private record Case(Pair pair, boolean isBlocking, int odd) {
        void run(LocalCluster cluster) {
            List<Duration> took =
                    cluster.call(world -> {
                        try (Communicator own = world.duplicate()) {
                            return requireMismatch(own);
                        }
                    });
            assertThat(took).as("%s", this).allMatch(time -> time.compareTo(LIMIT) < 0);
            cluster.run(world -> {
                long[] ranks = {world.rank()};
                world.allReduce(DataBuffer.of(ranks), ReduceOp.SUM);
                assertThat(ranks).containsExactly(world.size() * (world.size() - 1L) / 2);
            });
        }

        private Duration requireMismatch(Communicator world) {
            long begin = System.nanoTime();
            Call mine = world.rank() == odd ? pair.one() : pair.other();
            MismatchException failure = outcome(world, mine);
            if (failure == null) {
                // Its part was over before anybody knew: it is told with its next call.
                failure = outcome(world, barrier());
            }
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            assertThat(failure).as("rank %d of %s", world.rank(), this).isNotNull();
            assertThat(failure.calls()).as("%s", failure).hasSize(2);
            for (CallDescription call : failure.calls()) {
                String text = (call.rank() == odd ? pair.one() : pair.other()).text();
                assertThat(call.toString()).contains("rank " + call.rank()).contains(text);
            }
            assertThat(failure.calls()).as("%s", failure).anyMatch(call -> call.rank() == odd);
            return took;
        }

        private @Nullable MismatchException outcome(Communicator world, Call call) {
            try {
                call.make(world, isBlocking);
                return null;
            } catch (MismatchException expected) {
                return expected;
            }
        }
    }
}
