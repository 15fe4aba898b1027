package io.nexar.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.cli.Launcher;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ranks started by hand, so that no launcher ends the survivors. */
@Timeout(120)
class DeathIT {
    private static final Pattern REPORT = Pattern.compile("rank (\\d+) after (\\d+) ms: (.*)");

    /** Promised: a killed process is noticed within 3 s. */
    private static final long NOTICED_WITHIN_MILLIS = 3000;

    /** Closing without a seed waits for nobody. */
    private static final Duration EXITS_WITHIN = Duration.ofSeconds(2);

    @TempDir private Path folder;

    @Test
    void aDeadProcessEndsEveryCallThatWaitsForItNamingTheRank() throws Exception {
        Path joinFile = folder.resolve("join");
        try (Launcher seed =
                Launcher.start(folder, "seed", "-n", "3", "--join-file", joinFile.toString())) {
            seed.await("the join file", () -> Files.exists(joinFile));
            List<Launcher> workers = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                workers.add(worker(Files.readString(joinFile).strip(), rank, "death"));
            }
            for (int rank : new int[] {0, 2}) {
                requireReport(workers.get(rank));
            }
            workers.forEach(Launcher::close);
        }
    }

    // Pitfall 101: a seed that was killed keeps no rank from working, nor from leaving at once.
    @Test
    void aJobOutlivesItsSeedAndEveryRankExitsAtOnceWithItsOwnCode() throws Exception {
        Path joinFile = folder.resolve("join");
        List<Launcher> workers = new ArrayList<>();
        try (Launcher seed =
                Launcher.start(folder, "seed", "-n", "2", "--join-file", joinFile.toString())) {
            seed.await("the join file", () -> Files.exists(joinFile));
            for (int rank = 0; rank < 2; rank++) {
                workers.add(worker(Files.readString(joinFile).strip(), rank, "seedless"));
            }
            for (Launcher worker : workers) {
                worker.awaitLine("seedless: formed");
            }
        } // Closing kills it with SIGKILL.
        for (Launcher worker : workers) {
            worker.stdin().write('\n');
            worker.stdin().close();
        }
        for (Launcher worker : workers) {
            assertThat(worker.awaitLine("seedless: sum ")).isEqualTo("2.0");
            assertThat(worker.exitCode(EXITS_WITHIN)).as(worker.lines()).isZero();
        }
    }

    private Launcher worker(String joinString, int rank, String scenario) {
        List<String> command =
                new ArrayList<>(List.of("env", "NEXAR_SEED=" + joinString, "NEXAR_RANK=" + rank));
        command.addAll(Workers.command(scenario));
        return Launcher.start(folder, command);
    }

    private static void requireReport(Launcher survivor) {
        Matcher report = REPORT.matcher(survivor.awaitLine("death: "));
        assertThat(report.matches()).as(survivor.lines()).isTrue();
        assertThat(report.group(1)).isEqualTo("1");
        assertThat(Long.parseLong(report.group(2))).isLessThan(NOTICED_WITHIN_MILLIS);
        assertThat(report.group(3)).contains("rank 1").contains("world");
        assertThat(survivor.exitCode(Duration.ofSeconds(20))).as(survivor.lines()).isZero();
    }
}
