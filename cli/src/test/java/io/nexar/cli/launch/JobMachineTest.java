package io.nexar.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class JobMachineTest {

    private static final long SECOND = 1_000_000_000L;

    /** A clock that is about to wrap: differences must be right, not values. */
    private static final long START = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();

    @Test
    void aJobWhoseRanksAllExitWithZeroIsOverWithZeroAndSaysNothing() {
        JobMachine machine = started(3, Duration.ZERO);

        assertThat(machine.handleExited(1, 0, START)).containsExactly(new Effect.Release(1));
        assertThat(machine.handleExited(0, 0, START)).containsExactly(new Effect.Release(0));
        assertThat(machine.isOver()).isFalse();
        assertThat(machine.handleExited(2, 0, START))
                .containsExactly(new Effect.Release(2), new Effect.Over(0, ""));
        assertThat(machine.isOver()).isTrue();
    }

    @Test
    void theFirstRankThatFailsIsNamedAndTheOthersAreAskedToEnd() {
        JobMachine machine = started(4, Duration.ZERO);

        assertThat(machine.handleExited(2, 3, START))
                .containsExactly(
                        new Effect.Release(2),
                        new Effect.Terminate(0),
                        new Effect.Terminate(1),
                        new Effect.Terminate(3));
        machine.handleExited(0, 143, START);
        machine.handleExited(1, 1, START);
        assertThat(machine.handleExited(3, 143, START))
                .contains(
                        new Effect.Over(
                                3,
                                "rank 2 (pid 1002) exited with code 3; ended the other 3 ranks"));
    }

    @Test
    void aRankThatEndedWellBeforeIsNotCountedAmongTheEnded() {
        JobMachine machine = started(3, Duration.ZERO);
        machine.handleExited(0, 0, START);
        machine.handleExited(1, 137, START);

        assertThat(machine.handleExited(2, 143, START))
                .contains(
                        new Effect.Over(
                                137,
                                "rank 1 (pid 1001) exited with code 137 (SIGKILL); ended the other"
                                        + " 1 rank"));
    }

    @Test
    void whoIgnoresTheRequestIsKilledAfterTheGracePeriodAndNotBefore() {
        JobMachine machine = started(3, Duration.ZERO);
        machine.handleExited(0, 1, START);
        machine.handleExited(1, 143, START);
        long grace = JobMachine.GRACE.toNanos();

        assertThat(machine.nanosUntilNextDeadline(START)).isEqualTo(grace);
        assertThat(machine.handleTime(START + grace - 1)).isEmpty();
        assertThat(machine.handleTime(START + grace)).containsExactly(new Effect.Kill(2));
        assertThat(machine.handleTime(START + grace)).isEmpty();
        assertThat(machine.handleExited(2, 137, START + grace))
                .contains(
                        new Effect.Over(
                                1,
                                "rank 0 (pid 1000) exited with code 1; ended the other 2 ranks"));
    }

    @Test
    void aProcessThatDoesNotDieIsNamedAndWaitedForNoLonger() {
        JobMachine machine = started(2, Duration.ZERO);
        machine.handleExited(0, 1, START);
        long killed = START + JobMachine.GRACE.toNanos();
        machine.handleTime(killed);

        List<Effect> effects = machine.handleTime(killed + JobMachine.KILLED.toNanos());

        assertThat(effects)
                .containsExactly(
                        new Effect.Over(
                                1,
                                "rank 0 (pid 1000) exited with code 1; ended the other 1 rank;"
                                        + " still there after SIGKILL: rank 1"));
        // The promise: a dead rank ends all within 5 s.
        assertThat(JobMachine.GRACE.plus(JobMachine.KILLED)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void theTimeLimitEndsAllAndSaysWhoStillRan() {
        JobMachine machine = started(3, Duration.ofSeconds(30));
        machine.handleExited(1, 0, START);
        long limit = START + 30 * SECOND;

        assertThat(machine.nanosUntilNextDeadline(START)).isEqualTo(30 * SECOND);
        assertThat(machine.handleTime(limit - 1)).isEmpty();
        assertThat(machine.handleTime(limit))
                .containsExactly(new Effect.Terminate(0), new Effect.Terminate(2));
        machine.handleExited(0, 143, limit);
        assertThat(machine.handleExited(2, 143, limit))
                .contains(
                        new Effect.Over(
                                124,
                                "time limit of 30s reached; ranks 0, 2 still ran; ended 2 ranks"));
    }

    @Test
    void anInterruptEndsAllAndASecondOneDoesNotWait() {
        JobMachine machine = started(2, Duration.ZERO);

        assertThat(machine.handleInterrupt(START))
                .containsExactly(new Effect.Terminate(0), new Effect.Terminate(1));
        assertThat(machine.handleInterrupt(START + 1))
                .containsExactly(new Effect.Kill(0), new Effect.Kill(1));
        assertThat(machine.handleInterrupt(START + 2)).isEmpty();
        machine.handleExited(0, 137, START + 3);
        assertThat(machine.handleExited(1, 137, START + 3))
                .contains(new Effect.Over(130, "interrupted; ended 2 ranks"));
    }

    @Test
    void aRankThatCannotBeStartedEndsThoseBeforeItAndStartsNoneAfterIt() {
        JobMachine machine = new JobMachine(3, Duration.ZERO, START);
        machine.handleStarted(0, 1000);

        assertThat(machine.handleStartFailed(1, 126, "no memory", START))
                .containsExactly(new Effect.Terminate(0));
        assertThat(machine.isRunning()).isFalse();
        assertThat(machine.handleExited(0, 143, START))
                .contains(
                        new Effect.Over(
                                126,
                                "rank 1 could not be started: no memory; ended the other 1 rank"));
    }

    @Test
    void aFailureWithNobodyThereIsOverAtOnce() {
        JobMachine machine = new JobMachine(2, Duration.ZERO, START);

        assertThat(machine.handleInterrupt(START))
                .containsExactly(new Effect.Over(130, "interrupted"));
    }

    @Test
    void aRankThatWasBeingStartedWhenTroubleCameIsEndedToo() {
        JobMachine machine = new JobMachine(2, Duration.ZERO, START);
        machine.handleStarted(0, 1000);
        machine.handleExited(0, 9, START);

        assertThat(machine.handleStarted(1, 1001)).containsExactly(new Effect.Terminate(1));
    }

    @Test
    void whateverHappensTheJobEndsOnceAndSignalsNobodyWhoIsGone() {
        for (long randomSeed = 0; randomSeed < 500; randomSeed++) {
            Random random = new Random(randomSeed);
            int ranks = 1 + random.nextInt(5);
            JobMachine machine = started(ranks, Duration.ofSeconds(random.nextInt(20)));
            List<Integer> present = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                present.add(rank);
            }
            long now = START;
            int ends = 0;
            for (int step = 0; step < 200 && !machine.isOver(); step++) {
                now += random.nextLong(2 * SECOND);
                for (Effect effect : randomEvent(machine, random, present, now)) {
                    switch (effect) {
                        case Effect.Terminate(int rank) -> assertThat(present).contains(rank);
                        case Effect.Kill(int rank) -> assertThat(present).contains(rank);
                        case Effect.Release(int rank) -> assertThat(present).doesNotContain(rank);
                        case Effect.Over it -> ends++;
                    }
                }
            }
            assertThat(ends).as("random seed %d", randomSeed).isEqualTo(1);
        }
    }

    private static List<Effect> randomEvent(
            JobMachine machine, Random random, List<Integer> present, long now) {
        int choice = random.nextInt(10);
        if (choice < 3 && !present.isEmpty()) {
            int rank = present.get(random.nextInt(present.size()));
            present.remove(Integer.valueOf(rank));
            return machine.handleExited(rank, random.nextInt(3), now);
        }
        return switch (choice) {
            case 8 -> machine.handleInterrupt(now);
            case 9 -> machine.handleFailure(1, "the seed failed", now);
            default -> machine.handleTime(now);
        };
    }

    private static JobMachine started(int ranks, Duration timeLimit) {
        JobMachine machine = new JobMachine(ranks, timeLimit, START);
        for (int rank = 0; rank < ranks; rank++) {
            assertThat(machine.handleStarted(rank, 1000 + rank)).isEmpty();
        }
        return machine;
    }
}
