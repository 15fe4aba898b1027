package io.nexar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * However a launcher ends, all that it started is gone soon after. A process of the job is known by
 * the job's mark: ranks and what they start have it in their environment, the watching shell among
 * its arguments.
 */
class NoProcessOutlivesTheLauncherIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    /** The promise is 5 s from the launcher's death; here with room for a laden machine. */
    private static final Duration GONE = Duration.ofSeconds(15);

    /** A rank with a child of its own, and one that left for a session of its own. */
    private static final String FAMILY =
            "sleep 600 & setsid sleep 600 & echo mark $_NEXAR_JOB; trap '' HUP TERM; wait; sleep"
                    + " 600";

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "TERM", "INT", "HUP"})
    void whicheverSignalEndsTheLauncher(String signal) {
        try (Launcher launcher = family(2, FAMILY)) {
            String mark = launcher.awaitLine("[0] mark ");
            launcher.awaitLine("[1] mark ");
            launcher.await("6 processes and the shell", () -> processesOf(mark).size() >= 7);

            launcher.signal(signal);

            int expected =
                    switch (signal) {
                        case "KILL" -> 137;
                        case "TERM" -> 143;
                        case "INT" -> 130;
                        default -> 129;
                    };
            assertThat(launcher.exitCode(SOON)).isEqualTo(expected);
            assertAllGone(mark);
        }
    }

    @Test
    void aKilledLauncherThatWasStartingRanksLeavesNone() {
        String script = "echo mark $_NEXAR_JOB; exec sleep 600";
        try (Launcher launcher = family(64, script)) {
            String mark = launcher.awaitLine("[0] mark ");
            launcher.signal("KILL");
            launcher.exitCode(SOON);
            assertAllGone(mark);
        }
    }

    @Test
    void aRankThatEndsWellTakesItsChildrenWithIt() {
        String script = "sleep 600 & setsid sleep 600 & echo mark $_NEXAR_JOB";
        try (Launcher launcher = family(2, script)) {
            assertThat(launcher.exitCode(SOON)).isZero();
            String mark = launcher.awaitLine("[0] mark ");
            assertThat(processesOf(mark)).isEmpty();
        }
    }

    @Test
    void aLauncherInsideAJobEndsItsOwnRanksWhenTheOuterOneIsKilled() {
        String inner = String.join(" ", Launcher.command("run", "-n", "1", "--", "sh", "-c"));
        String script = inner + " 'echo inner mark $_NEXAR_JOB; exec sleep 600'";
        try (Launcher launcher = family(1, script)) {
            String mark = launcher.awaitLine("[0] [0] inner mark ");
            launcher.signal("KILL");
            launcher.exitCode(SOON);
            assertAllGone(mark);
        }
    }

    @Test
    void whenTheWatchingShellDiesTheJobEndsAndSaysSo() {
        try (Launcher launcher = family(2, "echo mark $_NEXAR_JOB; exec sleep 600")) {
            String mark = launcher.awaitLine("[0] mark ");
            launcher.awaitLine("[1] mark ");
            ProcessHandle shell =
                    ProcessHandle.allProcesses()
                            .filter(process -> Processes.arguments(process).contains(mark))
                            .findFirst()
                            .orElseThrow();
            Launcher.signal("KILL", shell.pid());

            assertThat(launcher.exitCode(SOON)).isEqualTo(1);
            assertThat(launcher.stderr())
                    .containsExactly("nexar: the shell that watches the job died; ended 2 ranks");
            assertAllGone(mark);
        }
    }

    private Launcher family(int ranks, String script) {
        return Launcher.start(folder, "run", "-n", "" + ranks, "--", "sh", "-c", script);
    }

    private static void assertAllGone(String mark) {
        Launcher.await("the end of " + processesOf(mark), GONE, () -> processesOf(mark).isEmpty());
    }

    private static List<String> processesOf(String mark) {
        return Processes.carrying(mark).stream()
                .map(process -> process.pid() + " " + Processes.arguments(process))
                .toList();
    }
}
