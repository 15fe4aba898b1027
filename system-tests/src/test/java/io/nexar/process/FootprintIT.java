package io.nexar.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Nexar;
import io.nexar.NexarConfig;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** How much memory and how many threads a rank takes: bounds that are promised. */
@Timeout(240)
class FootprintIT {
    /** All of it is there from the start: what is beyond it is what the test looks at. */
    private static final List<String> FIXED_HEAP =
            List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1");

    private static final int PEERS = 8;
    private static final long HELD_KIB_MAX = 64 << 10;
    private static final long NEEDED_KIB_MAX = 128 << 10;

    /** Enough to see a copy of the vector; {@code -Dnexar.test.full=true} adds up a gibibyte. */
    private static final int SUM_MIB = Boolean.getBoolean("nexar.test.full") ? 1024 : 144;

    @TempDir private Path folder;

    /** What an idle rank takes. */
    private record Held(long kib, long threads) {}

    @Test
    void aRankWithEightIdlePeersHoldsLittleAndHasNoMoreThreadsThanWithOne() throws Exception {
        Held withOne = idleBeside(1);
        Held withEight = idleBeside(PEERS);
        System.out.println("idle beside 1 and " + PEERS + ": " + withOne + ", " + withEight);
        assertThat(withEight.kib).isLessThan(HELD_KIB_MAX);
        assertThat(withEight.threads).isEqualTo(withOne.threads);
    }

    /** One process is looked at; its peers live in this one. */
    private Held idleBeside(int peers) throws Exception {
        try (HandJob job = HandJob.seed(folder, 1 + peers, Duration.ofMinutes(2));
                ExecutorService threads = Executors.newFixedThreadPool(peers)) {
            job.startRank(0, Jvm.command(FIXED_HEAP, Footprint.class, "idle"));
            List<Future<?>> others = new ArrayList<>();
            for (int rank = 1; rank <= peers; rank++) {
                NexarConfig config =
                        NexarConfig.defaults()
                                .with("nexar.seed", job.seedServer().joinString().reveal())
                                .with("nexar.rank", String.valueOf(rank))
                                .with("nexar.timeout.dial", ForkedJob.DIAL);
                others.add(threads.submit(() -> idle(config)));
            }
            for (Future<?> other : others) {
                other.get();
            }
            String[] said = job.awaitWord(0, "held").split(" ");
            assertThat(job.worker(0).exitCode(Duration.ofMinutes(1))).as(job.told()).isZero();
            return new Held(Long.parseLong(said[0]), Long.parseLong(said[1]));
        }
    }

    private static void idle(NexarConfig config) {
        try (Nexar nexar = Nexar.join(config)) {
            nexar.world().barrier();
            nexar.world().barrier();
        }
    }

    @Test
    void aLargeAllReduceNeedsLittleBeyondTheUsersBuffers() {
        List<String> program =
                Jvm.command(
                        List.of("-Xmx256m", "-XX:MaxDirectMemorySize=2g"),
                        Footprint.class,
                        "sum",
                        String.valueOf(SUM_MIB));
        try (LaunchedJob job = LaunchedJob.start(folder, 2, program)) {
            assertThat(job.exitCode(Duration.ofMinutes(3))).as(job.told()).isZero();
            for (int rank = 0; rank < 2; rank++) {
                long needed = Long.parseLong(job.awaitWord(rank, "needed"));
                System.out.printf("rank %d: %d MiB needed %d KiB%n", rank, SUM_MIB, needed);
                assertThat(needed).isLessThan(NEEDED_KIB_MAX);
            }
        }
    }
}
