package io.nexar.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.NexarConfig;
import io.nexar.cli.chaos.Conditions;
import io.nexar.cli.chaos.Faults;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** TCP links that somebody on the way cuts in the middle of collectives, while all ranks live. */
@Timeout(180)
class BrokenLinkTest {
    private static final int RANKS = 4;
    private static final int CALLS = 80;
    private static final Duration DEADLINE = Duration.ofSeconds(90);

    /** In every build; {@code -Dnexar.test.full=true} runs 50. */
    private static final int RUNS = Boolean.getBoolean("nexar.test.full") ? 50 : 1;

    @Test
    void collectivesStayRightWhenTheirLinksAreCutAndQuicCarriesOn() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            Warnings warnings = new Warnings();
            Logger logger = Logger.getLogger("io.nexar");
            logger.addHandler(warnings);
            try {
                cutAllLinks(3800 + run);
            } finally {
                logger.removeHandler(warnings);
            }
            // Once a process, that is here: once a rank.
            assertThat(warnings.said).as("run %d", run).hasSize(RANKS);
        }
    }

    private static void cutAllLinks(long seed) throws Exception {
        NexarConfig config = NexarConfig.defaults().with("nexar.timeout.operation", "50s");
        Conditions slow = Conditions.both(Faults.NONE.withDelay(Duration.ofMillis(2)));
        try (ChaosJob job = ChaosJob.startOver("tcp", RANKS, seed, slow, config)) {
            AtomicIntegerArray calls = new AtomicIntegerArray(RANKS);
            CompletableFuture<Void> running =
                    job.start(
                            DEADLINE,
                            world -> {
                                RandomCalls random = new RandomCalls(world, seed);
                                for (int i = 0; i < CALLS; i++) {
                                    random.next();
                                    calls.set(world.rank(), i + 1);
                                }
                            });
            // Of each two ranks the higher one has dialled: nobody dialled the last.
            for (int rank = 0; rank < RANKS - 1; rank++) {
                int before = CALLS / RANKS * (rank + 1);
                Waits.until("calls", DEADLINE, () -> running.isDone() || calls.get(0) >= before);
                assertThat(running).as("seed %d", seed).isNotDone();
                job.resetLinks(rank);
            }
            running.get();
            job.closeRanks();
            assertThat(job.failures()).as("seed %d", seed).isEmpty();
        }
    }

    /** What is said of broken links. */
    private static final class Warnings extends Handler {
        private final List<String> said = new ArrayList<>();

        @Override
        public synchronized void publish(LogRecord entry) {
            String text = new java.util.logging.SimpleFormatter().formatMessage(entry);
            if (text.contains("quic carries everything there from now on")) {
                said.add(text);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
