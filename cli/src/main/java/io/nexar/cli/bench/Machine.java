package io.nexar.cli.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The machine that measures: what it is, and whether it has other things to do. */
public final class Machine {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final Path TIMES = Path.of("/proc/stat");

    /** A quarter of a second: 25 of the kernel's ticks on each core. */
    private static final long SAMPLE_MILLIS = 250;

    /** From a tenth of a core on, other work shows in the slow tenth of all calls. */
    private static final double BUSY_CORES = 0.1;

    private Machine() {}

    /** One line each: processor, cores, memory, system, Java. */
    public static List<String> card() {
        List<String> card = new ArrayList<>();
        card.add("processor: " + field(PROCESSORS, "model name").orElse(property("os.arch")));
        card.add("cores: " + cores());
        field(MEMORY, "MemTotal").ifPresent(text -> card.add("memory: " + gibibytes(text)));
        field(PROCESSORS, "cache size").ifPresent(text -> card.add("last cache: " + text));
        card.add("system: " + property("os.name") + " " + property("os.version"));
        card.add("java: " + property("java.vm.name") + " " + property("java.runtime.version"));
        return card;
    }

    public static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /**
     * What spoils figures of so many ranks, taken before they start; blocks for a quarter of a
     * second where the system says how busy it is.
     */
    public static List<String> warnings(int ranks) throws InterruptedException {
        List<String> warnings = new ArrayList<>();
        if (ranks > cores()) {
            warnings.add(
                    "%d ranks on %d cores: they take turns, and times tell of the scheduler too"
                            .formatted(ranks, cores()));
        }
        double busy = busyCores();
        if (busy > BUSY_CORES) {
            warnings.add(
                    String.format(
                            Locale.ROOT,
                            "other work keeps %.1f of %d cores busy: times are longer for it",
                            busy,
                            cores()));
        }
        return warnings;
    }

    private static double busyCores() throws InterruptedException {
        Optional<long[]> before = ticks();
        if (before.isEmpty()) {
            return 0;
        }
        Thread.sleep(SAMPLE_MILLIS);
        long[] after = ticks().orElse(before.get());
        long all = after[0] - before.get()[0];
        long idle = after[1] - before.get()[1];
        return all <= 0 ? 0 : cores() * (double) (all - idle) / all;
    }

    /** All ticks of all cores since the start, and those in which there was nothing to do. */
    private static Optional<long[]> ticks() {
        return lines(TIMES)
                .findFirst()
                .map(line -> {
                    long[] kinds =
                            Arrays.stream(line.strip().split(" +"))
                                    .skip(1)
                                    .limit(8) // what follows is counted in these already
                                    .mapToLong(Long::parseLong)
                                    .toArray();
                    return new long[] {Arrays.stream(kinds).sum(), kinds[3] + kinds[4]};
                });
    }

    private static Optional<String> field(Path file, String key) {
        return lines(file)
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst();
    }

    /** Of {@code 16384000 kB}. */
    private static String gibibytes(String text) {
        long kibibytes = Long.parseLong(text.split(" ")[0]);
        return String.format(Locale.ROOT, "%.1f GiB", kibibytes / (double) (1 << 20));
    }

    /** None where the system has no such file. */
    private static Stream<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }
}
