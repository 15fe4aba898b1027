package io.nexar.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.ClosedException;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DeadlineException;
import io.nexar.NexarConfig;
import io.nexar.NexarException;
import io.nexar.PeerLostException;
import io.nexar.ReduceOp;
import io.nexar.chaos.ChaosJob.Outcome;
import io.nexar.cli.chaos.Conditions;
import io.nexar.cli.chaos.Faults;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Networks that let nothing through for a while. */
@Timeout(180)
class CutTest {

    private static final Duration DEADLINE = Duration.ofSeconds(90);

    /** Promised: what stood still for 2 s goes on within 5 s of the heal. */
    private static final Duration GOES_ON_WITHIN = Duration.ofSeconds(5);

    /** By then everybody has heard a heartbeat of everybody: the first may be late by five more. */
    private static final Duration HEARD_WITHIN = Duration.ofSeconds(2);

    /** Promised are 10 s; the rest is for a machine that runs much else. */
    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(13);

    /** Half of what a close waits for a peer that says nothing. */
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(5);

    /** Which way nothing passes, between rank 0 and all others. */
    private enum Cut {
        BOTH_WAYS(true, true),
        NOT_REACHED(true, false),
        NOT_HEARD(false, true);

        private final Conditions conditions;

        Cut(boolean isInward, boolean isOutward) {
            conditions =
                    new Conditions(Faults.NONE.withCut(isInward), Faults.NONE.withCut(isOutward));
        }
    }

    @Test
    void aCutOfTwoSecondsHealsAndRanksKeepTheSameBits() throws Exception {
        // Pitfall 28: after a stall the ranks went on with different data.
        Together.run(List.of(Cut.values()), CutTest::requireHeals);
    }

    private static void requireHeals(Cut cut) throws Exception {
        try (ChaosJob job = ChaosJob.start(3, 28, Conditions.GOOD, NexarConfig.defaults())) {
            AtomicIntegerArray calls = new AtomicIntegerArray(3);
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Void> running =
                    job.start(DEADLINE, world -> callUntil(isOver, world, calls));
            awaitMoreCalls(calls, running, DEADLINE);
            job.set(cut.conditions);
            Waits.lasting(Duration.ofSeconds(2));
            job.set(Conditions.GOOD);
            awaitMoreCalls(calls, running, GOES_ON_WITHIN);
            isOver.set(true);
            running.get(60, TimeUnit.SECONDS);
            assertThat(job.counters().cut()).isPositive();
        }
    }

    /** Rank 0 says when it is over. */
    private static void callUntil(
            AtomicBoolean isOver, Communicator world, AtomicIntegerArray calls) {
        RandomCalls random = new RandomCalls(world, 28);
        long[] goesOn = {1};
        while (goesOn[0] == 1) {
            random.next();
            calls.incrementAndGet(world.rank());
            goesOn[0] = isOver.get() ? 0 : 1;
            world.broadcast(DataBuffer.of(goesOn), 0);
        }
    }

    private static void awaitMoreCalls(
            AtomicIntegerArray calls, CompletableFuture<Void> running, Duration atMost)
            throws InterruptedException {
        int[] now = {calls.get(0), calls.get(1), calls.get(2)};
        Waits.until(
                "three more calls, " + running,
                atMost,
                () -> {
                    for (int rank = 0; rank < now.length; rank++) {
                        if (calls.get(rank) < now[rank] + 3) {
                            return running.isDone();
                        }
                    }
                    return true;
                });
        assertThat(running).isNotDone();
    }

    @Test
    void aTransferThatIsCutForTwoSecondsGoesOnAtOnce() throws Exception {
        // Pitfall 59: after a burst of loss the sender never sent again.
        try (ChaosJob job = ChaosJob.start(2, 59, Conditions.GOOD, NexarConfig.defaults())) {
            Transfer transfer = new Transfer();
            CompletableFuture<Void> running = job.start(DEADLINE, transfer::run);
            Waits.until("it runs", DEADLINE, () -> transfer.arrived() >= 20);
            job.set(Cut.BOTH_WAYS.conditions);
            Waits.lasting(Duration.ofSeconds(2));
            job.set(Conditions.GOOD);
            int wanted = transfer.arrived() + 20;
            Waits.until("it goes on", GOES_ON_WITHIN, () -> transfer.arrived() >= wanted);
            transfer.stop();
            running.get(60, TimeUnit.SECONDS);
            assertThat(transfer.longestGap())
                    .isBetween(Duration.ofSeconds(2), GOES_ON_WITHIN.plusSeconds(2));
        }
    }

    @Test
    void aCutLongerThanTheDeadlineEndsInAnErrorOnBothSides() throws Exception {
        Together.run(List.of(Cut.values()), CutTest::requireDeadline);
    }

    private static void requireDeadline(Cut cut) throws Exception {
        NexarConfig config =
                NexarConfig.defaults()
                        .with("nexar.timeout.operation", "3s")
                        .with("nexar.timeout.close", "2s");
        try (ChaosJob job = ChaosJob.start(2, 4, Conditions.GOOD, config)) {
            job.set(cut.conditions);
            List<Outcome> outcomes =
                    job.tryRun(
                            DEADLINE,
                            world -> {
                                float[] values = new float[1000];
                                int other = 1 - world.rank();
                                world.receive(DataBuffer.of(values), other, 7);
                            });
            for (Outcome outcome : outcomes) {
                assertThat(outcome.failure())
                        .as("rank %d", outcome.rank())
                        .isInstanceOf(DeadlineException.class)
                        .hasMessageContaining("rank " + (1 - outcome.rank()));
            }
            // One that still hears the others may finish a call that they don't: then the next one.
            outcomes = job.tryRun(DEADLINE, CutTest::reduceForEver);
            assertThat(outcomes)
                    .allSatisfy(outcome ->
                            assertThat(outcome.failure())
                                    .isInstanceOf(NexarException.class)
                                    .hasMessageContaining("rank " + (1 - outcome.rank())))
                    .allSatisfy(outcome ->
                            assertThat(outcome.after()).isLessThan(Duration.ofSeconds(8)));
        }
    }

    private static void reduceForEver(Communicator world) {
        while (true) {
            world.allReduce(DataBuffer.of(new float[1000]), ReduceOp.SUM);
        }
    }

    @Test
    void aRankWhosePeerHasLeftClosesAtOnceThoughItDoesNotHearTheGoodbye() throws Exception {
        Together.run(List.of(Cut.NOT_REACHED, Cut.NOT_HEARD), CutTest::requireQuickClose);
    }

    private static void requireQuickClose(Cut cut) throws Exception {
        try (ChaosJob job = ChaosJob.start(2, 3, Conditions.GOOD, NexarConfig.defaults())) {
            job.run(DEADLINE, Communicator::barrier);
            job.set(0, cut.conditions);
            long start = System.nanoTime();
            job.closeRanks();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(CLOSED_WITHIN);
            assertThat(job.failures()).isEmpty();
            assertThat(job.counters().cut()).isPositive();
        }
    }

    @Test
    void ranksThatStayCutOffLoseEachOtherInTenSeconds() throws Exception {
        Together.run(List.of(Cut.values()), CutTest::requireLost);
    }

    private static void requireLost(Cut cut) throws Exception {
        NexarConfig config = NexarConfig.defaults().with("nexar.timeout.close", "2s");
        try (ChaosJob job = ChaosJob.start(3, 10, Conditions.GOOD, config)) {
            job.run(DEADLINE, Communicator::barrier);
            Waits.lasting(HEARD_WITHIN);
            job.set(cut.conditions);
            for (Outcome outcome : job.tryRun(DEADLINE, Communicator::barrier)) {
                assertThat(outcome.after()).isLessThan(NOTICED_WITHIN);
                // A rank that is heard by nobody, but hears, is told of its own end: of the
                // verdict,
                // or of what it did to a call.
                assertThat(outcome.failure())
                        .as("rank %d", outcome.rank())
                        .satisfiesAnyOf(
                                failure ->
                                        assertThat(failure)
                                                .isInstanceOf(PeerLostException.class)
                                                .hasMessageContaining("silent for"),
                                failure ->
                                        assertThat(failure)
                                                .isInstanceOf(ClosedException.class)
                                                .message()
                                                .containsAnyOf(
                                                        "was given up", "has lost this rank"));
            }
        }
    }
}
