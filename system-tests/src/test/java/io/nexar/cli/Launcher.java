package io.nexar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * The real launcher in a process of its own, as {@code ./nexar} starts it, with its lines in files.
 * Closing it ends it and waits until it is gone.
 *
 * <p>Every JVM that comes of it, also those that the launcher starts, runs with Netty's leak
 * detector at its strictest; closing fails if one has reported a leak.
 */
public final class Launcher implements AutoCloseable {

    /** Far below every deadline, and no load. */
    private static final long LOOK_MILLIS = 20;

    /** Several JVMs that start beside other work take half a minute to their first line. */
    private static final Duration SAID = Duration.ofSeconds(90);

    /**
     * Read by every {@code java} that has it in its environment, so by children's children too. No
     * records: who leaked what is asked for in a run by hand, at many times the cost.
     */
    private static final String LEAK_DETECTION =
            "-Dio.netty.leakDetection.level=paranoid -Dio.netty.leakDetection.targetRecords=0";

    /** What {@code java} prints for that, with a rank in front where a rank's JVM says it. */
    private static final Pattern OPTIONS_NOTE =
            Pattern.compile("(\\[\\d+] )*NOTE: Picked up JDK_JAVA_OPTIONS:.*");

    private final Process process;
    private final Path stdout;
    private final Path stderr;

    private Launcher(Process process, Path stdout, Path stderr) {
        this.process = process;
        this.stdout = stdout;
        this.stderr = stderr;
    }

    /** Starts {@code nexar} with these arguments; its files lie in {@code folder}. */
    public static Launcher start(Path folder, String... arguments) {
        return start(folder, command(arguments));
    }

    /** Starts any command line; {@link #command} is its part that is the launcher. */
    public static Launcher start(Path folder, List<String> commandLine) {
        try {
            Path stdout = Files.createTempFile(folder, "launcher", ".out");
            Path stderr = Files.createTempFile(folder, "launcher", ".err");
            ProcessBuilder builder =
                    new ProcessBuilder(commandLine)
                            .redirectOutput(stdout.toFile())
                            .redirectError(stderr.toFile());
            builder.environment().put("LC_ALL", "C.UTF-8");
            builder.environment().put("NO_COLOR", "1");
            builder.environment().put("JDK_JAVA_OPTIONS", LEAK_DETECTION);
            return new Launcher(builder.start(), stdout, stderr);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        // Under a build in the background SIGINT is ignored, and a JVM leaves an ignored one alone.
        command.addAll(List.of("env", "--default-signal=INT"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.nexar.cli.Main"));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Runs to the end and returns the exit code. */
    public int exitCode(Duration deadline) {
        try {
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still running after " + deadline + "; " + lines());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the launcher", e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public void signal(String name) {
        signal(name, pid());
    }

    public static void signal(String name, long pid) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor();
            if (code != 0) {
                throw new AssertionError("kill -" + name + " " + pid + " gave " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while signalling", e);
        }
    }

    public OutputStream stdin() {
        return process.getOutputStream();
    }

    public List<String> stdout() {
        return read(stdout).lines().toList();
    }

    public List<String> stderr() {
        return read(stderr).lines().filter(line -> !OPTIONS_NOTE.matcher(line).matches()).toList();
    }

    /** Waits for a line of standard output that begins so, and returns the rest of it. */
    public String awaitLine(String beginning) {
        await("a line that begins with " + beginning, () -> ending(beginning).isPresent());
        return ending(beginning).orElseThrow();
    }

    /** The lines of standard output that are finished. */
    public List<String> wholeLines() {
        String all = read(stdout);
        return all.substring(0, all.lastIndexOf('\n') + 1).lines().toList();
    }

    private Optional<String> ending(String beginning) {
        return wholeLines().stream()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()))
                .findFirst();
    }

    public void await(String what, BooleanSupplier condition) {
        try {
            await(what, SAID, condition);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; " + lines(), e);
        }
    }

    /** Looks every few milliseconds: nobody tells of files that grow and of processes that end. */
    public static void await(String what, Duration deadline, BooleanSupplier condition) {
        CountDownLatch met = new CountDownLatch(1);
        try (ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor()) {
            ScheduledFuture<?> looks =
                    looking.scheduleWithFixedDelay(
                            () -> {
                                if (condition.getAsBoolean()) {
                                    met.countDown();
                                }
                            },
                            0,
                            LOOK_MILLIS,
                            TimeUnit.MILLISECONDS);
            boolean isMet = met.await(deadline.toMillis(), TimeUnit.MILLISECONDS);
            looks.cancel(false);
            if (!isMet) {
                throw new AssertionError("waited " + deadline + " for " + what);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + what, e);
        }
    }

    public String lines() {
        return "stdout: " + stdout() + ", stderr: " + stderr();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        exitCode(Duration.ofSeconds(10));
        if (lines().contains("LEAK:")) {
            throw new AssertionError("a buffer was not released; " + lines());
        }
    }
}
