package io.nexar.readme;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program in README.md runs as the text around it says: by itself, and under the launcher. */
class ReadmeIT {
    /** Half of a test's deadline: a JVM that starts takes a second or two. */
    private static final long SECONDS_MAX = 30;

    @TempDir private Path folder = Path.of("");

    @BeforeEach
    void compile() throws IOException {
        assertThat(ReadmeProgram.read().compile(folder)).isEmpty();
    }

    @Test
    void startedByItselfItIsAWorldOfOne() throws Exception {
        assertThat(run(program())).contains("rank 0 of 1: sums 1 and 10");
    }

    @Test
    void startedByTheLauncherItIsAsManyAsAskedFor() throws Exception {
        List<String> command = java("io.nexar.cli.Main");
        command.addAll(List.of("run", "-n", "4", "--"));
        command.addAll(program());
        String output = run(command);
        for (int rank = 0; rank < 4; rank++) {
            assertThat(output).contains("rank " + rank + " of 4: sums 10 and 40");
        }
    }

    private List<String> program() {
        return java(ReadmeProgram.CLASS_NAME);
    }

    private List<String> java(String mainClass) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath =
                System.getProperty("java.class.path") + File.pathSeparator + folder.toString();
        return new ArrayList<>(
                List.of(java, "--enable-native-access=ALL-UNNAMED", "-cp", classPath, mainClass));
    }

    /** What the command prints; a command that fails, or takes too long, fails the test. */
    private String run(List<String> command) throws IOException, InterruptedException {
        Path log = folder.resolve("output.txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        String output = Files.readString(log);
        assertThat(ended).as(output).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
