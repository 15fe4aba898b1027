package io.nexar.process;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.nexar.cli.Launcher;
import io.nexar.rendezvous.SeedEvent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Workers that die while a job forms, or while it has nothing to do. */
@Timeout(240)
class FormationIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** Promised for every death that has a witness. */
    private static final long NOTICED_MILLIS = 3000;

    /** Beats so often that unread ones would fill what a link holds while the ranks are idle. */
    private static final List<String> FLAGS =
            List.of("-XX:TieredStopAtLevel=1", "-Xmx128m", "-Dnexar.heartbeat.interval=10ms");

    @TempDir private Path folder = Path.of("");

    // Pitfalls 73, 74, 79: one that left, or died between two messages of its join, closed the
    // meeting for all or let them wait for ever; a death between two collectives went unnoticed.
    @Test
    void aJobFormsInSpiteOfBadJoinersIdlesUnharmedAndNoticesTheDeathOfAnIdleRank()
            throws Exception {
        try (HandJob job = HandJob.seed(folder, 3, Duration.ofMinutes(3));
                Socket silent = connect(job);
                Socket babbling = connect(job)) {
            babbling.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
            start(job, 0);
            loseTwo(job);
            start(job, 1);
            start(job, 2);
            for (int rank = 0; rank < 3; rank++) {
                assertThat(job.awaitWord(rank, "met")).as(job.told()).isEqualTo("6");
            }
            assertThat(silent.isConnected()).isTrue();

            Idleness.pause(3000);
            writeLines(job, 0, 1, 2);
            job.awaitAll("after");

            long killedMicros = job.kill(2);
            for (int rank = 0; rank < 2; rank++) {
                String[] lost = job.awaitWord(rank, "lost").split(" ", 3);
                assertThat(lost[0]).as(job.told()).isEqualTo("2");
                assertThat((Long.parseLong(lost[1]) - killedMicros) / 1000)
                        .as(job.told())
                        .isLessThan(NOTICED_MILLIS);
            }
            writeLines(job, 0, 1);
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.worker(rank).exitCode(SOON)).as(job.told()).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ROSTER", "LINKED"})
    void aWorkerThatDiesWhileAllLinkEndsTheFormationForAllAtOnce(DyingWorker.Point point) {
        try (HandJob job = HandJob.seed(folder, 2, Duration.ofMinutes(3))) {
            start(job, 0);
            job.startRank(1, Jvm.command(FLAGS, DyingWorker.class, point.name()));
            String[] dying = job.awaitWord(1, "dying").split(" ");
            String[] refused = job.awaitWord(0, "refused").split(" ", 3);
            assertThat(refused[1]).as(job.told()).isEqualTo("[1]");
            assertThat(refused[2]).contains("rank 1");
            assertThat((Long.parseLong(refused[0]) - Long.parseLong(dying[0])) / 1000)
                    .as(job.told())
                    .isLessThan(NOTICED_MILLIS);
            assertThat(job.worker(0).exitCode(SOON)).as(job.told()).isZero();
        }
    }

    /** Rank 1 dies once it is welcome, comes again, and is interrupted while it waits. */
    private static void loseTwo(HandJob job) throws Exception {
        Launcher dying = job.startRank(1, Jvm.command(FLAGS, DyingWorker.class, "WELCOME"));
        assertThat(dying.exitCode(SOON)).as(job.told()).isEqualTo(9);
        Launcher interrupted = start(job, 1);
        long pid = Long.parseLong(job.awaitWord(1, "process"));
        Launcher.await("the admission of " + pid, SOON, () -> isAdmitted(job, pid));
        Launcher.signal("INT", pid);
        assertThat(interrupted.exitCode(SOON)).as(job.told()).isEqualTo(130);
        dying.close();
        interrupted.close();
        Launcher.await(
                "two withdrawals",
                SOON,
                () ->
                        job.events().stream()
                                        .filter(event -> event instanceof SeedEvent.Withdrawn)
                                        .count()
                                == 2);
    }

    private static boolean isAdmitted(HandJob job, long pid) {
        return job.events().stream()
                .anyMatch(event ->
                        event instanceof SeedEvent.Admitted admitted && admitted.pid() == pid);
    }

    private static Launcher start(HandJob job, int rank) {
        return job.startRank(rank, Jvm.command(FLAGS, Meeting.class));
    }

    private static Socket connect(HandJob job) throws IOException {
        return new Socket(
                job.seedServer().address().getAddress(), job.seedServer().address().getPort());
    }

    private static void writeLines(HandJob job, int... ranks) throws IOException {
        for (int rank : ranks) {
            job.worker(rank).stdin().write('\n');
            job.worker(rank).stdin().flush();
        }
    }
}
