package io.nexar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The bundled examples through the real launcher: processes, a seed, QUIC. */
@Timeout(180) // Several JVMs start together; on two busy cores each takes seconds.
class ExamplesIT {

    private static final Duration DONE = Duration.ofMinutes(2);

    private static final Pattern RESULT =
            Pattern.compile(
                    "mnist: ranks=(\\d+) accuracy=(0\\.\\d{3}) identical=true seconds=\\d+\\.\\d");

    @TempDir private Path folder;

    @Test
    void everyRankSaysWhoItIs() {
        try (Launcher launcher = run(4, "hello")) {
            assertThat(launcher.exitCode(DONE)).as(launcher.lines()).isZero();
            assertThat(launcher.stdout())
                    .containsExactlyInAnyOrder(
                            "[0] hello from rank 0 of 4",
                            "[1] hello from rank 1 of 4",
                            "[2] hello from rank 2 of 4",
                            "[3] hello from rank 3 of 4");
        }
    }

    @Test
    void theSmallExamplesEndWellWithTheirResults() {
        expect(run(3, "allreduce"), "allreduce: [6.0, 60.0, 600.0]");
        expect(run(2, "broadcast"), "[1] rank 1 has [1, 4, 9, 16, 25]");
        expect(run(2, "send-receive"), "[0] rank 0 got 101 from rank 1");
        expect(run(1, "local-cluster"), "local-cluster: [6, 6, 6, 6]");
    }

    @Test
    void theExamplesThatComputeFindWhatOneProcessFinds() {
        endsWith(run(3, "pi", "--samples", "1000000"), "pi: ranks=3 samples=1000000 ");
        endsWith(run(3, "pagerank", "--vertices", "5000"), "pagerank: ranks=3 vertices=5000 ");
        endsWith(run(3, "sort", "--keys", "100000"), "sort: ranks=3 keys=100000 ");
        endsWith(run(3, "heat", "--steps", "50"), "heat: ranks=3 grid=1x3 side=256 steps=50 ");
    }

    @Test
    void anExamplesHelpIsPrintedOnce() {
        try (Launcher launcher = run(2, "sort", "--help")) {
            assertThat(launcher.exitCode(DONE)).as(launcher.lines()).isZero();
            assertThat(launcher.stdout())
                    .containsOnlyOnce("[0] Options of sort:")
                    .allMatch(line -> line.startsWith("[0] "));
        }
    }

    @Test
    void fourRanksTrainTogetherAsWellAsOneAlone() {
        double together = accuracy(run(4, "mnist"), 4);
        double alone = accuracy(run(1, "mnist"), 1);

        assertThat(together).isGreaterThanOrEqualTo(0.95);
        assertThat(Math.abs(together - alone)).isLessThanOrEqualTo(0.01);
    }

    @Test
    void aRankKilledWhileAllTrainEndsTheJobAndIsNamed() {
        try (Launcher launcher = run(3, "mnist", "--epochs", "1000")) {
            launcher.awaitLine("[0] epoch 1 ");
            long victim = rankProcess(launcher, "NEXAR_RANK=1");
            long start = System.nanoTime();
            Launcher.signal("KILL", victim);
            assertThat(launcher.exitCode(DONE)).isEqualTo(137);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(5));
            assertThat(launcher.stderr().getLast())
                    .isEqualTo(
                            ("nexar: rank 1 (pid %d) exited with code 137 (SIGKILL);"
                                            + " ended the other 2 ranks")
                                    .formatted(victim));
        }
    }

    @Test
    void aRankThatDiesBeforeTheJobFormedEndsTheOthers() {
        List<String> arguments = new ArrayList<>(List.of("run", "-n", "3", "--", "sh", "-c"));
        arguments.add("[ $NEXAR_RANK != 2 ] || exit 9; exec \"$@\"");
        arguments.add("x");
        arguments.addAll(Workers.command("io.nexar.examples.Hello"));
        try (Launcher launcher = Launcher.start(folder, arguments.toArray(String[]::new))) {
            assertThat(launcher.exitCode(DONE)).isEqualTo(9);
            assertThat(launcher.stderr().getLast())
                    .matches("nexar: rank 2 .* exited with code 9; ended the other 2 ranks");
        }
    }

    @Test
    void aRankThatEndsWellBeforeAnyOtherCameEndsTheFormationAndIsNamed() {
        List<String> arguments = new ArrayList<>(List.of("run", "-n", "2", "--", "sh", "-c"));
        arguments.add("[ $NEXAR_RANK != 1 ] || exit 0; exec \"$@\"");
        arguments.add("x");
        arguments.addAll(Workers.command("io.nexar.examples.Hello"));
        try (Launcher launcher = Launcher.start(folder, arguments.toArray(String[]::new))) {
            assertThat(launcher.exitCode(DONE)).as(launcher.lines()).isEqualTo(1);
            assertThat(launcher.stderr())
                    .anyMatch(line ->
                            line.startsWith("[0] ")
                                    && line.contains(
                                            "rank 1 is gone: its process exited with code 0"));
        }
    }

    @Test
    void anExamplesWrongOptionIsNamedAndItsExitCodeIsTheLaunchers() {
        try (Launcher launcher = run(2, "mnist", "--epochs", "none")) {
            assertThat(launcher.exitCode(DONE)).isEqualTo(2);
            assertThat(launcher.stderr())
                    .anyMatch(line -> line.contains("--epochs none: must be a whole number"));
        }
    }

    @Test
    void workersStartedByHandMeetAtASeed() throws Exception {
        Path joinFile = folder.resolve("job.join");
        try (Launcher seed =
                Launcher.start(folder, "seed", "-n", "2", "--join-file", joinFile.toString())) {
            seed.await("the join file", () -> Files.exists(joinFile));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(joinFile)))
                    .isEqualTo("rw-------");
            String joinString = Files.readString(joinFile).strip();
            try (Launcher first = worker(joinString);
                    Launcher second = worker(joinString)) {
                assertThat(first.exitCode(DONE)).as(first.lines()).isZero();
                assertThat(second.exitCode(DONE)).as(second.lines()).isZero();
                List<String> both = new ArrayList<>(first.stdout());
                both.addAll(second.stdout());
                String pids = "; the highest process id among us is \\d+";
                assertThat(both)
                        .hasSize(2)
                        .anyMatch(line -> line.matches("rank 0 of 2" + pids))
                        .anyMatch(line -> line.matches("rank 1 of 2" + pids));
            }
            assertThat(seed.exitCode(DONE)).as(seed.lines()).isZero();
            assertThat(seed.lines()).doesNotContain("token=");
        }
    }

    private Launcher run(int ranks, String... words) {
        List<String> arguments = new ArrayList<>(List.of("run", "-n", "" + ranks));
        arguments.addAll(List.of(words));
        return Launcher.start(folder, arguments.toArray(String[]::new));
    }

    private Launcher worker(String joinString) {
        List<String> command = new ArrayList<>(List.of("env", "NEXAR_SEED=" + joinString));
        command.addAll(Workers.command("io.nexar.examples.SeedAndWorkers"));
        return Launcher.start(folder, command);
    }

    private static void expect(Launcher started, String line) {
        try (started) {
            assertThat(started.exitCode(DONE)).as(started.lines()).isZero();
            assertThat(started.stdout()).contains(line);
        }
    }

    /** The last line says that rank 0 has compared. */
    private static void endsWith(Launcher started, String start) {
        try (started) {
            assertThat(started.exitCode(DONE)).as(started.lines()).isZero();
            assertThat(started.stdout().getLast()).startsWith(start).endsWith(" equal=true");
        }
    }

    private static double accuracy(Launcher started, int ranks) {
        try (started) {
            assertThat(started.exitCode(DONE)).as(started.lines()).isZero();
            Matcher result = RESULT.matcher(started.stdout().getLast());
            assertThat(result.matches()).as(started.lines()).isTrue();
            assertThat(result.group(1)).isEqualTo("" + ranks);
            return Double.parseDouble(result.group(2));
        }
    }

    /** The launcher's child that has this in its environment. */
    private static long rankProcess(Launcher launcher, String variable) {
        return ProcessHandle.of(launcher.pid())
                .orElseThrow()
                .children()
                .filter(child -> Processes.environment(child).contains(variable))
                .findFirst()
                .orElseThrow()
                .pid();
    }
}
