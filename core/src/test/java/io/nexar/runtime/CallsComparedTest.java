package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.example.DifferentCalls;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DeadlineException;
import io.nexar.LocalCluster;
import io.nexar.MismatchException;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.RankFailuresException;
import io.nexar.RankTask;
import io.nexar.ReduceOp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/** What a program gets to see of calls that differ, or that a rank does not come to. */
@Timeout(60)
class CallsComparedTest {
    /** What is promised. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static LocalCluster start(String transport, int ranks, String check) {
        return LocalCluster.start(
                ranks,
                NexarConfig.defaults()
                        .with("nexar.transport", transport)
                        .with("nexar.check", check));
    }

    /** What each rank's task throws, which must be a mismatch within the promised time. */
    private static List<MismatchException> mismatches(LocalCluster cluster, RankTask task) {
        long begin = System.nanoTime();
        List<MismatchException> failures =
                cluster.call(world ->
                        catchThrowableOfType(MismatchException.class, () -> task.run(world)));
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LIMIT);
        assertThat(failures).doesNotContainNull();
        return failures;
    }

    // Pitfall 34: calls in another order; both are named, with the lines that made them.
    @OnEachTransport
    void callsInAnotherOrderNameBothCallsWithTheirLines(String transport) {
        try (LocalCluster cluster = start(transport, 2, "basic")) {
            for (MismatchException failure : mismatches(cluster, DifferentCalls::inAnotherOrder)) {
                assertThat(failure)
                        .hasMessageContaining("rank 0 calls allReduce #0 of 1 F32 with SUM")
                        .hasMessageContaining("rank 1 calls barrier #0")
                        .hasMessageContaining("com.example.DifferentCalls.inAnotherOrder")
                        .hasMessageContaining("DifferentCalls.java:");
                assertThat(failure.calls())
                        .allSatisfy(call ->
                                assertThat(call.callSite()).contains("DifferentCalls.java:"));
            }
        }
    }

    @Test
    void asynchronousCallsHaveTheirLinesWithFullChecks() {
        for (boolean isFull : new boolean[] {false, true}) {
            try (LocalCluster cluster = start("local", 3, isFull ? "full" : "basic")) {
                for (MismatchException failure :
                        mismatches(cluster, DifferentCalls::inAnotherOrderAsync)) {
                    assertThat(failure.calls())
                            .hasSize(2)
                            .allSatisfy(call ->
                                    assertThat(String.valueOf(call.callSite()))
                                            .contains(
                                                    isFull
                                                            ? "inAnotherOrderAsync(DifferentCalls"
                                                            : "null"));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void ranksThatAllWaitForEachOtherLearnIt(int ranks) {
        try (LocalCluster cluster = start("local", ranks, "basic")) {
            for (MismatchException failure :
                    mismatches(cluster, DifferentCalls::fromRootsThatWait)) {
                assertThat(failure).hasMessageContaining("calls broadcast #0 of 1 I32, root ");
                assertThat(failure.calls().getFirst().root())
                        .isNotEqualTo(failure.calls().getLast().root());
            }
        }
    }

    // Pitfall 35: a root whose part is over at once is told before its call returns.
    @OnEachTransport
    void withFullChecksNoCallReturnsBeforeAllHaveMadeIt(String transport) {
        try (LocalCluster cluster = start(transport, 3, "full")) {
            cluster.run(world -> {
                float[] data = {world.rank()};
                world.broadcast(DataBuffer.of(data), 1);
                world.allReduce(DataBuffer.of(data), ReduceOp.SUM);
                assertThat(data).containsExactly(3f);
            });
            List<MismatchException> failures =
                    mismatches(
                            cluster,
                            world ->
                                    world.broadcast(
                                            DataBuffer.of(new float[world.rank() == 0 ? 3 : 4]),
                                            0));
            assertThat(failures)
                    .allSatisfy(failure ->
                            assertThat(failure)
                                    .hasMessageContaining("rank 0 calls broadcast #2 of 3 F32")
                                    .hasMessageContaining("calls broadcast #2 of 4 F32"));
        }
    }

    @Test
    void anotherCommunicatorOfTheSameRanksGoesOn() {
        try (LocalCluster cluster = start("local", 3, "basic")) {
            List<Communicator> others = cluster.call(Communicator::duplicate);
            mismatches(cluster, DifferentCalls::inAnotherOrder);
            cluster.run(world -> {
                int[] sum = {world.rank() + 1};
                others.get(world.rank()).allReduce(DataBuffer.of(sum), ReduceOp.SUM);
                assertThat(sum).containsExactly(6);
                assertThatExceptionOfType(MismatchException.class).isThrownBy(world::barrier);
            });
        }
    }

    @Test
    void aDeadlineNamesTheRanksThatHaveNotComeInsteadOfThoseThatWait() {
        try (LocalCluster cluster = start("local", 4, "basic")) {
            // In the first round of a barrier rank 2 waits for rank 1, which waits for rank 0.
            List<DeadlineException> failures =
                    cluster.call(world ->
                            world.rank() == 0
                                    ? new DeadlineException(null, "", Duration.ZERO, List.of(0))
                                    : catchThrowableOfType(
                                            DeadlineException.class,
                                            world.withTimeout(Duration.ofMillis(1_900))::barrier));
            assertThat(failures)
                    .allSatisfy(failure ->
                            assertThat(failure.waitingFor()).as("%s", failure).containsExactly(0));
        }
    }

    @Test
    void aTaskThatThrowsItsMismatchLetsTheOthersHaveTheirs() {
        try (LocalCluster cluster = start("local", 2, "basic")) {
            assertThatExceptionOfType(RankFailuresException.class)
                    .isThrownBy(() -> cluster.run(DifferentCalls::inAnotherOrder))
                    .satisfies(failures ->
                            assertThat(failures.failures().values())
                                    .hasSize(2)
                                    .allSatisfy(failure ->
                                            assertThat(failure)
                                                    .hasMessageContaining("rank 1 calls barrier")
                                                    .hasMessageContaining("rank 0 calls allR")));
        }
    }
}
