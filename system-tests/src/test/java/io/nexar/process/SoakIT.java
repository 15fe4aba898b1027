package io.nexar.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A job that has done the same thing for long takes what it took in the beginning. */
@Timeout(value = 40, unit = TimeUnit.MINUTES) // With the switch.
class SoakIT {
    private static final boolean FULL = Boolean.getBoolean("nexar.test.full");

    private static final int RANKS = 4;

    /**
     * With the switch 100,000 small and 10,000 medium allReduces, 1,000 communicators, 10,000
     * receives that time out; the first tenth is to warm up.
     */
    private static final int ROUNDS = FULL ? 1000 : 12;

    private static final int FIRST = FULL ? 100 : 6;

    /** What the collector leaves, and tables that grow by doubling: no multiple of the rounds. */
    private static final long HEAP_KIB = 2048;

    /** Netty's arenas grow by chunks. */
    private static final long DIRECT_KIB = FULL ? 4096 : 8192;

    /** The compilers' memory and code, which the JVM keeps. */
    private static final long RESIDENT_KIB = 48 << 10;

    /** Carriers of virtual threads come and go with their work. */
    private static final long THREADS = 2;

    private static final Duration DONE = Duration.ofMinutes(FULL ? 35 : 5);

    @TempDir private Path folder = Path.of("");

    // Pitfall 97: communicators that were closed left memory, threads and files behind.
    @Test
    void aLongJobHoldsNoMoreThanItDidAfterItsFirstRounds() {
        List<String> program =
                Jvm.command(List.of("-Xmx256m"), Soak.class, "" + FIRST, "" + ROUNDS);
        try (LaunchedJob job = LaunchedJob.start(folder, RANKS, program)) {
            assertThat(job.exitCode(DONE)).as(job.told()).isZero();
            for (int rank = 0; rank < RANKS; rank++) {
                long[] before = measured(job, rank, FIRST);
                long[] after = measured(job, rank, ROUNDS);
                System.out.printf(
                        "rank %d: heap, direct, resident KiB, threads, descriptors: %s then %s%n",
                        rank, Arrays.toString(before), Arrays.toString(after));
                assertThat(after[0] - before[0]).as(job.told()).isLessThan(HEAP_KIB);
                assertThat(after[1] - before[1]).as(job.told()).isLessThan(DIRECT_KIB);
                assertThat(after[2] - before[2]).as(job.told()).isLessThan(RESIDENT_KIB);
                assertThat(after[3]).as(job.told()).isLessThanOrEqualTo(before[3] + THREADS);
                assertThat(after[4]).as(job.told()).isLessThanOrEqualTo(before[4]);
            }
        }
    }

    private static long[] measured(LaunchedJob job, int rank, int round) {
        String beginning = "measured " + round + " ";
        return job.lines(rank).stream()
                .filter(line -> line.startsWith(beginning))
                .findFirst()
                .map(line -> line.substring(beginning.length()).split(" "))
                .map(facts -> Arrays.stream(facts).mapToLong(Long::parseLong).toArray())
                .orElseThrow(() -> new AssertionError(job.told()));
    }
}
