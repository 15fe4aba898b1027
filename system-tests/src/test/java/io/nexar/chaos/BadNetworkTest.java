package io.nexar.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.NexarConfig;
import io.nexar.cli.chaos.Conditions;
import io.nexar.cli.chaos.Faults;
import io.nexar.cli.chaos.RelayCounters;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Whole jobs over a network that delays, loses, doubles and reorders. */
class BadNetworkTest {

    private static final boolean IS_FULL = Boolean.getBoolean("nexar.test.full");

    /** In every build; {@code -Dnexar.test.full=true} runs 200. */
    private static final int RUNS = IS_FULL ? 200 : 3;

    private static final int CALLS = 40;

    /** Many times what a run takes; a stalled link would need it all. */
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @Test
    @Timeout(value = 40, unit = TimeUnit.MINUTES)
    void collectivesAreRightUnderDelayLossReorderingAndDuplication() throws Exception {
        // Pitfall 58: a transfer with loss was ended by the receiver's own flow control.
        long lost = 0;
        for (int run = 0; run < RUNS; run++) {
            RelayCounters counters = run(1000 + run);
            lost += counters.lost();
        }
        assertThat(lost).as("a network that loses nothing proves nothing").isGreaterThan(RUNS);
    }

    private static RelayCounters run(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int size = 2 + random.nextInt(4);
        Conditions bad = Conditions.both(faults(random));
        NexarConfig config = NexarConfig.defaults().with("nexar.timeout.operation", "50s");
        long start = System.nanoTime();
        try (ChaosJob job = ChaosJob.start(size, seed, bad, config)) {
            job.run(DEADLINE, world -> new RandomCalls(world, seed).run(CALLS));
            if (IS_FULL) {
                System.out.printf(
                        "seed %d, %d ranks, %d ms, %s: %s%n",
                        seed,
                        size,
                        (System.nanoTime() - start) / 1_000_000,
                        bad.inward(),
                        job.counters());
            }
            assertThat(job.failures()).as("seed %d", seed).isEmpty();
            return job.counters();
        } catch (Exception | AssertionError failure) {
            throw new AssertionError("seed " + seed + ", " + size + " ranks, " + bad, failure);
        }
    }

    /** A loss of 5 %, and each of the others up to what makes a run slow. */
    private static Faults faults(SplittableRandom random) {
        return Faults.NONE
                .withLoss(0.05)
                .withDuplicates(random.nextDouble(0.1))
                .withLate(random.nextDouble(0.2), Duration.ofMillis(1 + random.nextInt(10)))
                .withDelay(Duration.ofMillis(random.nextInt(3)));
    }
}
