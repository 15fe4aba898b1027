package io.nexar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The launcher with commands that know nothing of Nexar. */
class RunCommandIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir private Path folder;

    @Test
    void linesCarryTheirRankAndTheTwoStreamsStayApart() {
        String script =
                "echo out $NEXAR_RANK of $NEXAR_WORLD_SIZE; echo err >&2; printf unfinished";
        try (Launcher launcher = run("-n", "3", "--", "sh", "-c", script)) {
            assertThat(launcher.exitCode(SOON)).isZero();
            assertThat(launcher.stdout())
                    .containsExactlyInAnyOrder(
                            "[0] out 0 of 3",
                            "[0] unfinished",
                            "[1] out 1 of 3",
                            "[1] unfinished",
                            "[2] out 2 of 3",
                            "[2] unfinished");
            assertThat(launcher.stderr())
                    .containsExactlyInAnyOrder("[0] err", "[1] err", "[2] err");
        }
    }

    @Test
    void linesOfARankKeepTheirOrderAndAreNeverMixedWithAnothers() {
        String script = "i=0; while [ $i -lt 500 ]; do echo $i $0$0$0$0$0$0$0$0; i=$((i+1)); done";
        String filler = "0123456789".repeat(20);
        try (Launcher launcher = run("-n", "4", "--", "sh", "-c", script, filler)) {
            assertThat(launcher.exitCode(SOON)).isZero();
            for (int rank = 0; rank < 4; rank++) {
                String prefix = "[" + rank + "] ";
                List<String> expected = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    expected.add(prefix + i + " " + filler.repeat(8));
                }
                assertThat(launcher.stdout().stream().filter(line -> line.startsWith(prefix)))
                        .containsExactlyElementsOf(expected);
            }
        }
    }

    @Test
    void argumentsArriveAsTheyWereGiven() throws IOException {
        // The shell makes the characters, so that the test's own locale does not matter.
        Path script = folder.resolve("start.sh");
        Files.writeString(
                script, "exec \"$@\" 'a  b' '' '*' '$HOME' @file --help -n 'ü数😀'\n", UTF_8);
        List<String> command = new ArrayList<>(List.of("sh", script.toString()));
        command.addAll(
                Launcher.command(
                        "run",
                        "-n",
                        "1",
                        "--no-prefix",
                        "--",
                        "sh",
                        "-c",
                        "printf '<%s>\\n' \"$@\"",
                        "x"));
        try (Launcher launcher = Launcher.start(folder, command)) {
            assertThat(launcher.exitCode(SOON)).isZero();
            assertThat(launcher.stdout())
                    .containsExactly(
                            "<a  b>",
                            "<>",
                            "<*>",
                            "<$HOME>",
                            "<@file>",
                            "<--help>",
                            "<-n>",
                            "<ü数😀>");
        }
    }

    @Test
    void aRankThatFailsEndsAllWithItsExitCodeAndIsNamed() {
        String script = "if [ $NEXAR_RANK = 2 ]; then echo pid $$; exit 3; fi; exec sleep 600";
        try (Launcher launcher = run("-n", "4", "--", "sh", "-c", script)) {
            assertThat(launcher.exitCode(Duration.ofSeconds(20))).isEqualTo(3);
            String pid = launcher.awaitLine("[2] pid ");
            assertThat(launcher.stderr())
                    .containsExactly(
                            "nexar: rank 2 (pid %s) exited with code 3; ended the other 3 ranks"
                                    .formatted(pid));
        }
    }

    @Test
    void aDeadRankEndsAllWithinFiveSecondsAlsoThoseThatIgnoreTheRequest() {
        String script = "trap '' TERM; echo pid $$; while :; do sleep 1; done";
        try (Launcher launcher = run("-n", "2", "--", "sh", "-c", script)) {
            String victim = launcher.awaitLine("[1] pid ");
            launcher.awaitLine("[0] pid ");
            long start = System.nanoTime();
            Launcher.signal("KILL", Long.parseLong(victim));
            assertThat(launcher.exitCode(SOON)).isEqualTo(137);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(5));
            assertThat(launcher.stderr())
                    .containsExactly(
                            ("nexar: rank 1 (pid %s) exited with code 137 (SIGKILL);"
                                            + " ended the other 1 rank")
                                    .formatted(victim));
        }
    }

    @Test
    void theOthersAreAskedBeforeTheyAreKilled() {
        String script =
                "trap 'echo goodbye; exit 0' TERM; echo ready; if [ $NEXAR_RANK = 0 ]; then read x;"
                        + " exit 5; fi; while :; do sleep 0.1; done";
        try (Launcher launcher = run("-n", "2", "--stdin", "0", "--", "sh", "-c", script)) {
            launcher.awaitLine("[1] ready");
            write(launcher, "go\n");
            assertThat(launcher.exitCode(SOON)).isEqualTo(5);
            assertThat(launcher.stdout()).contains("[1] goodbye");
        }
    }

    @Test
    void theTimeLimitEndsAllAndNamesWhoStillRan() {
        String script = "if [ $NEXAR_RANK = 1 ]; then exit 0; fi; exec sleep 600";
        try (Launcher launcher = run("-n", "3", "--timeout", "2s", "--", "sh", "-c", script)) {
            assertThat(launcher.exitCode(SOON)).isEqualTo(124);
            assertThat(launcher.stderr())
                    .containsExactly(
                            "nexar: time limit of 2s reached; ranks 0, 2 still ran; ended 2 ranks");
        }
    }

    @Test
    void standardInputGoesToTheRankThatWasAskedForAndToNobodyElse() {
        try (Launcher launcher =
                run("-n", "2", "--stdin", "1", "--", "sh", "-c", "cat; echo over")) {
            launcher.awaitLine("[0] over");
            write(launcher, "one\ntwo\n");
            assertThat(launcher.exitCode(SOON)).isZero();
            assertThat(launcher.stdout())
                    .containsExactly("[0] over", "[1] one", "[1] two", "[1] over");
        }
    }

    @Test
    void whatCannotRunGivesTheExitCodesOfAShell() throws IOException {
        Path data = Files.writeString(folder.resolve("data"), "no program");
        try (Launcher missing = run("-n", "2", "--", "no-such-program");
                Launcher notExecutable = run("-n", "2", "--", data.toString())) {
            assertThat(missing.exitCode(SOON)).isEqualTo(127);
            assertThat(missing.stderr())
                    .containsExactly("nexar: command 'no-such-program' is not found on the PATH");
            assertThat(notExecutable.exitCode(SOON)).isEqualTo(126);
            assertThat(notExecutable.stderr()).hasSize(1).first().asString().contains("data'");
        }
    }

    @Test
    void aJobWhoseLinesNobodyReadsEnds() {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" | head -n 1", "x"));
        command.addAll(Launcher.command("run", "-n", "2", "--", "yes"));
        try (Launcher launcher = Launcher.start(folder, command)) {
            launcher.exitCode(SOON);
            assertThat(launcher.stderr()).anyMatch(line -> line.contains("nobody reads"));
        }
    }

    private Launcher run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(arguments));
        return Launcher.start(folder, all.toArray(String[]::new));
    }

    private static void write(Launcher launcher, String text) {
        try (OutputStream stdin = launcher.stdin()) {
            stdin.write(text.getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
