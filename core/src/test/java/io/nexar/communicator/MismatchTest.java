package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.CallDescription;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.MismatchException;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;
import io.nexar.communicator.DifferingCalls.Call;
import io.nexar.communicator.DifferingCalls.Pair;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every pair of calls that differ in one thing or in all, on every world: one rank makes the one
 * call, the others make the other. All of them learn both. Each build tries a part of the pairs, on
 * each world another; {@code -Dnexar.test.full=true} tries all, on QUIC too.
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
                    .with("nexar.collective.hostPieceBytes", "1KiB")
                    .with("nexar.collective.creditBytes", "2KiB");

    static Stream<Arguments> worlds() {
        return Stream.of("local", "shm", "tcp", "quic")
                .flatMap(
                        transport -> Stream.of(2, 3, 5).map(size -> Arguments.of(transport, size)));
    }

    // Pitfall 35: counts, types, reductions and roots that differ are an error on every rank.
    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("worlds")
    void everyPairOfDifferingCallsIsNamedOnEveryRank(String transport, int size) {
        NexarConfig config = CONFIG.with("nexar.transport", transport);
        List<Pair> pairs = DifferingCalls.pairs(FULL);
        int stride = FULL ? 1 : transport.equals("local") ? 5 : 29;
        try (LocalCluster cluster = LocalCluster.start(size, config)) {
            for (int i = size % stride; i < pairs.size(); i += stride) {
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
                failure = outcome(world, DifferingCalls.barrier());
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
