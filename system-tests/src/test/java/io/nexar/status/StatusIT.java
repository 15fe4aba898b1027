package io.nexar.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.cli.Launcher;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The real launcher with a job that stands, and the real command that looks at it. */
@Timeout(240)
class StatusIT {
    private static final Duration COMMAND_ENDS = Duration.ofSeconds(60);

    @TempDir private Path folder;

    /** As {@code nexar status} prints it, with its exit code. */
    private record Look(int exitCode, List<String> out, List<String> err) {
        String all() {
            return String.join("\n", out).replaceAll(" +", " ");
        }
    }

    private Look status(Path joinFile, String... more) {
        List<String> arguments = new ArrayList<>(List.of("status", "--join", joinFile.toString()));
        arguments.addAll(List.of(more));
        try (Launcher command = Launcher.start(folder, arguments.toArray(String[]::new))) {
            int code = command.exitCode(COMMAND_ENDS);
            return new Look(code, command.stdout(), command.stderr());
        }
    }

    private Launcher stalledJob(Path joinFile) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "run",
                                "-n",
                                "4",
                                "--join-file",
                                joinFile.toString(),
                                "--stdin",
                                "" + StalledProgram.LATE,
                                "--"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xmx128m"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(StalledProgram.class.getName());
        return Launcher.start(folder, command.toArray(String[]::new));
    }

    @Test
    void theTableNamesTheRankThatAllOthersWaitFor() throws Exception {
        Path joinFile = folder.resolve("job.join");
        try (Launcher job = stalledJob(joinFile)) {
            job.awaitLine("[" + StalledProgram.LATE + "] stalled: waits");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(joinFile)))
                    .isEqualTo("rw-------");
            Look[] last = new Look[1];
            // Each rank has asked the others after a second, and knows then who has not come.
            Launcher.await(
                    "the late rank's name in the lines of the others, in both tables",
                    Duration.ofMinutes(2),
                    () -> {
                        last[0] = status(joinFile);
                        return last[0].all().split("waits for rank 2", -1).length == 7;
                    });
            requireStall(last[0], job);
            requireJson(status(joinFile, "--json"));
            job.stdin().write('\n');
            job.stdin().flush();
            assertThat(job.exitCode(COMMAND_ENDS)).as(job.lines()).isZero();
            assertThat(job.stdout()).contains("[0] stalled: sum 6.0", "[2] stalled: sum 6.0");
        }
        assertThat(joinFile).doesNotExist();
    }

    private static void requireStall(Look look, Launcher job) {
        assertThat(look.exitCode()).as(look + " " + job.lines()).isZero();
        for (int rank : new int[] {0, 1, 3}) {
            assertThat(look.all())
                    .containsPattern(
                            "\n%d \\d+ 127.0.0.1:\\d+ in a call [0-9.]+ (s|min [0-9.]+ s)"
                                            .formatted(rank)
                                    + " allReduce #2 \\(1000 F32, SUM\\) on world,"
                                    + " waits for rank 2\n");
        }
        assertThat(look.all())
                .containsPattern(
                        "\n2 \\d+ 127.0.0.1:\\d+ in user code its next collective on world is #2")
                .containsPattern("\n2 world 2 of 4 #2 0 1 \\(8 B\\) 0")
                .containsPattern(
                        "\n3 world.split\\(\\d+\\)\\[1\\] 1 of 2 #0 1 0 0 .*receive \\(tag 9\\)")
                .containsPattern("\n0 3 of 3 \\(shm\\) .* ago, rank \\d .*MiB");
    }

    private static void requireJson(Look look) {
        assertThat(look.exitCode()).isZero();
        assertThat(look.out()).hasSize(1);
        assertThat(look.out().getFirst())
                .startsWith("{\"job\":\"job-")
                .endsWith("}")
                .contains("\"phase\":\"running\"", "\"worldSize\":4")
                .contains("\"rank\":2,\"member\":")
                .contains("\"state\":\"inUserCode\"", "\"state\":\"inCall\"")
                .contains("\"operation\":\"allReduce\",\"sequence\":2")
                .contains("\"waitingFor\":[2],\"waitingForCount\":1")
                .contains("\"heardMillisAgo\":");
    }

    @Test
    void aSeedThatIsGoneAFileThatIsMissingAndOneThatOthersCanReadAreEachAnErrorOfItsOwn()
            throws Exception {
        Path joinFile = folder.resolve("seed.join");
        try (Launcher seed =
                Launcher.start(folder, "seed", "-n", "3", "--join-file", joinFile.toString())) {
            seed.await("the join file", () -> Files.exists(joinFile));
            Look forming = status(joinFile);
            assertThat(forming.exitCode()).as(forming.toString()).isZero();
            assertThat(forming.all())
                    .contains("is forming for", "0 of 3 ranks have come; missing: 0, 1, 2");
        } // Closing kills it.
        Look gone = status(joinFile);
        assertThat(gone.exitCode()).isEqualTo(1);
        assertThat(String.join("\n", gone.err())).contains("can't look at job-", "refused");
        Look missing = status(folder.resolve("nowhere"));
        assertThat(missing.exitCode()).isEqualTo(2);
        Files.setPosixFilePermissions(joinFile, PosixFilePermissions.fromString("rw-r--r--"));
        Look open = status(joinFile);
        assertThat(open.exitCode()).isEqualTo(2);
        assertThat(String.join("\n", open.err())).contains("open to others");
    }
}
