package io.nexar.process;

import io.nexar.cli.Launcher;
import io.nexar.cli.Processes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A job under the real launcher. */
final class LaunchedJob extends ForkedJob {
    private final Launcher launcher;

    private LaunchedJob(int size, Launcher launcher) {
        super(size);
        this.launcher = launcher;
    }

    static LaunchedJob start(Path folder, int size, List<String> program) {
        return start(folder, size, 0, program);
    }

    /** {@code inputRank} reads what is written to the launcher. */
    static LaunchedJob start(Path folder, int size, int inputRank, List<String> program) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "run",
                                "-n",
                                "" + size,
                                "--timeout-dial",
                                DIAL,
                                "--stdin",
                                "" + inputRank,
                                "--"));
        arguments.addAll(program);
        return new LaunchedJob(size, Launcher.start(folder, arguments.toArray(String[]::new)));
    }

    Launcher launcher() {
        return launcher;
    }

    int exitCode(Duration deadline) {
        return launcher.exitCode(deadline);
    }

    /** The launcher's own last line. */
    String complaint() {
        List<String> own =
                launcher.stderr().stream().filter(line -> line.startsWith("nexar: ")).toList();
        return own.isEmpty() ? "" : own.getLast();
    }

    /** What all processes of the job have in their environment, read while they run. */
    String mark() {
        return Arrays.stream(Processes.environment(process(0)).split("\0"))
                .filter(variable -> variable.startsWith("_NEXAR_JOB="))
                .findFirst()
                .orElseThrow();
    }

    @Override
    List<String> lines(int rank) {
        String prefix = "[" + rank + "] ";
        return launcher.wholeLines().stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .toList();
    }

    @Override
    String told() {
        return launcher.lines();
    }

    @Override
    public void close() {
        launcher.close();
    }
}
