package io.nexar.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.cli.Launcher;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Processes that stop and go on: a short while, all together, or one until it is given up. */
@Timeout(value = 20, unit = TimeUnit.MINUTES) // With the switch; each wait has its own deadline.
class PauseIT {
    private static final boolean FULL = Boolean.getBoolean("nexar.test.full");

    private static final int RANKS = 4;

    private static final int VICTIM = 2;

    /** Promised: the others know of a silent rank within 10 s. */
    private static final long SILENCE_MILLIS = 10_000;

    /** A rank that is back has its links' ends to read, no more. */
    private static final long LEARNS_MILLIS = 5_000;

    /** Longer than what makes a rank a lost one; with the switch as long as the promise. */
    private static final int ALL_STOPPED_SECONDS = FULL ? 60 : 11;

    private static final Duration PAUSES = FULL ? Duration.ofMinutes(10) : Duration.ofSeconds(20);

    private static final Duration ENDS = Duration.ofSeconds(30);

    @TempDir private Path folder = Path.of("");

    // Pitfalls 43 and 46: a slow rank was killed as dead, and a suspended job broke apart.
    @Test
    void ranksThatPauseAreNotDeadAlsoOnBusyCoresAndAJobStoppedAsAWholeGoesOn() throws Exception {
        try (HandJob job = start(0)) {
            List<Process> burning = burnAllCores();
            try {
                pauseAgainAndAgain(job, new Random(43));
            } finally {
                burning.forEach(Process::destroyForcibly);
            }
            stopAll(job);
            requireNobodyLost(job);
            job.kill(VICTIM);
            endOthers(job);
        }
    }

    // Pitfall 44: a frozen process that looked alive, and did as if nothing had been once it was
    // back.
    @Test
    void aStoppedRankIsGivenUpInTimeAndLearnsItWhenItIsBack() throws Exception {
        try (HandJob job = start(1)) {
            long stoppedMicros = Say.micros();
            job.signal("STOP", VICTIM);
            for (int rank : ForkedJob.others(RANKS, VICTIM)) {
                String[] facts = job.awaitWord(rank, "failed").split(" ", 6);
                assertThat(facts[2] + " " + facts[3])
                        .as(job.told())
                        .isEqualTo("PeerLostException " + VICTIM);
                long millis = (Long.parseLong(facts[0]) - stoppedMicros) / 1000;
                System.out.printf(
                        "rank %d gave up the stopped one after %d ms, %d ms of them paused%n",
                        rank, millis, late(job));
                assertThat(millis).as(job.told()).isLessThan(SILENCE_MILLIS + late(job));
                assertThat(job.lines(rank)).anyMatch(line -> line.startsWith("event Lost 2"));
            }
            awaitMore(job, 0);
            long backMicros = Say.micros();
            job.signal("CONT", VICTIM);
            String[] learned = job.awaitWord(VICTIM, "failed").split(" ", 6);
            assertThat(learned[2] + " " + learned[4])
                    .as(job.told())
                    .isEqualTo("ClosedException PROCESS");
            assertThat(learned[5]).contains("given up");
            assertThat((Long.parseLong(learned[0]) - backMicros) / 1000)
                    .as(job.told())
                    .isLessThan(LEARNS_MILLIS);
            assertThat(job.awaitWord(VICTIM, "again")).isEqualTo("ClosedException");
            assertThat(job.worker(VICTIM).exitCode(ENDS)).as(job.told()).isZero();
            assertThat(job.lines(VICTIM)).noneMatch(line -> line.startsWith("event Lost"));
            awaitMore(job, 0);
            endOthers(job);
        }
    }

    private HandJob start(int turn) {
        HandJob job =
                HandJob.start(
                        folder,
                        RANKS,
                        Jvm.command(
                                List.of("-Xmx128m", Jvm.transport(turn)),
                                Going.class,
                                "" + VICTIM));
        job.awaitAll("started");
        return job;
    }

    private static void pauseAgainAndAgain(HandJob job, Random random) throws Exception {
        long end = System.nanoTime() + PAUSES.toNanos();
        while (System.nanoTime() - end < 0) {
            int paused = random.nextInt(RANKS);
            job.signal("STOP", paused);
            Idleness.pause(2000);
            job.signal("CONT", paused);
            Idleness.pause(500);
            requireNobodyLost(job);
        }
    }

    private static void stopAll(HandJob job) throws Exception {
        for (int rank = 0; rank < RANKS; rank++) {
            job.signal("STOP", rank);
        }
        Idleness.pause(ALL_STOPPED_SECONDS * 1000L);
        for (int rank = 0; rank < RANKS; rank++) {
            job.signal("CONT", rank);
        }
        awaitMore(job, 0);
    }

    /**
     * How long a survivor got no processor since the start: a watcher that was paused itself
     * accuses nobody for as long.
     */
    private static long late(HandJob job) {
        return ForkedJob.others(RANKS, VICTIM).stream()
                .mapToLong(rank -> Long.parseLong(job.awaitWord(rank, "late")))
                .max()
                .orElseThrow();
    }

    private static void requireNobodyLost(HandJob job) {
        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(job.lines(rank))
                    .as(job.told())
                    .noneMatch(line -> line.startsWith("event Lost") || line.startsWith("failed"));
        }
    }

    /** Waits until a rank has counted twice more. */
    private static void awaitMore(HandJob job, int rank) {
        long counted = counted(job, rank);
        Launcher.await(
                "more results of rank " + rank, ENDS, () -> counted(job, rank) >= counted + 2);
    }

    private static long counted(HandJob job, int rank) {
        return job.lines(rank).stream().filter(line -> line.startsWith("count ")).count();
    }

    /** The victim is gone; a word to one of the others ends them all. */
    private static void endOthers(HandJob job) throws IOException {
        try (OutputStream stdin = job.worker(0).stdin()) {
            stdin.write('\n');
        }
        for (int rank : ForkedJob.others(RANKS, VICTIM)) {
            assertThat(Long.parseLong(job.awaitWord(rank, "survived"))).isPositive();
            assertThat(job.worker(rank).exitCode(ENDS)).as(job.told()).isZero();
        }
    }

    /** As many processes as there are cores, each of which computes without end. */
    private static List<Process> burnAllCores() throws IOException {
        List<Process> burning = new ArrayList<>();
        for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
            burning.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
        }
        return burning;
    }
}
