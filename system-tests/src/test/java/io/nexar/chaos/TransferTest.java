package io.nexar.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.NexarConfig;
import io.nexar.cli.chaos.Conditions;
import io.nexar.cli.chaos.Faults;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Long transfers over one link that is bad all the time. */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class TransferTest {

    private static final boolean IS_FULL = Boolean.getBoolean("nexar.test.full");

    private static final long MIB = 1 << 20;

    private static final Duration DEADLINE = Duration.ofMinutes(50);

    /** No loss, however long it lasts, makes a transfer stand still for longer. */
    private static final Duration STANDS_STILL_MAX = Duration.ofSeconds(5);

    @Test
    void aLongTransferWithLossAndReorderingEndsWithEveryByte() throws Exception {
        // Pitfall 58: the receiver ended the connection for a window that the sender had kept to.
        Faults faults = Faults.NONE.withLoss(0.01).withLate(0.02, Duration.ofMillis(3));
        transfer(58, faults, NexarConfig.defaults(), (IS_FULL ? 10_240 : 48) * MIB);
    }

    @Test
    void aPathThatSwallowsLargeDatagramsIsStillUsable() throws Exception {
        // Pitfall 56: small first packets passed, larger ones vanished, and nobody was told.
        Faults tunnel = Faults.NONE.withDatagramBytesMax(1280 - 48);
        transfer(56, tunnel, NexarConfig.defaults(), (IS_FULL ? 100 : 8) * MIB);
    }

    @Test
    void heavyLossIsNotTakenForAPathThatSwallows() throws Exception {
        // Pitfall 56: a loss of a tenth was read as a smaller MTU, or stalled for long.
        Faults loss = Faults.NONE.withLoss(0.1).withDelay(Duration.ofMillis(1));
        NexarConfig config = NexarConfig.defaults().with("nexar.quic.maxDatagramBytes", "1200");
        transfer(560, loss, config, (IS_FULL ? 400 : 4) * MIB);
    }

    private static void transfer(long seed, Faults faults, NexarConfig config, long bytes)
            throws Exception {
        try (ChaosJob job = ChaosJob.start(2, seed, Conditions.both(faults), config)) {
            long start = System.nanoTime();
            Transfer transfer = new Transfer();
            CompletableFuture<Void> running = job.start(DEADLINE, transfer::run);
            long messages = bytes / Transfer.MESSAGE_BYTES;
            Waits.until(
                    "all bytes of seed " + seed,
                    DEADLINE,
                    () -> transfer.arrived() >= messages || running.isDone());
            transfer.stop();
            running.get(1, TimeUnit.MINUTES);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            if (IS_FULL) {
                System.out.printf(
                        "%d MiB in %s, longest gap %s, %s%n",
                        transfer.arrived() * (long) Transfer.MESSAGE_BYTES / MIB,
                        took,
                        transfer.longestGap(),
                        job.counters());
            }
            assertThat(transfer.longestGap()).as("seed %d", seed).isLessThan(STANDS_STILL_MAX);
            assertThat(job.failures()).isEmpty();
        }
    }
}
