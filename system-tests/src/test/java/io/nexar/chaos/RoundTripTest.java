package io.nexar.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.NexarConfig;
import io.nexar.cli.chaos.Conditions;
import io.nexar.cli.chaos.Faults;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Transfers over QUIC on a path that takes its time. That they end right is asserted in every
 * build; how long they take only with {@code -Dnexar.test.full=true}, on a quiet machine.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RoundTripTest {

    private static final boolean IS_FULL = Boolean.getBoolean("nexar.test.full");

    private static final Duration DEADLINE = Duration.ofMinutes(5);

    private static final int MESSAGE_LONGS = (1 << 20) / Long.BYTES;

    @ParameterizedTest(name = "{0} ms")
    @ValueSource(ints = {0, 5, 50})
    void aTransferAboveEveryWindowIsAsFastAsAShortOne(int roundTripMillis) throws Exception {
        // Pitfall 103: the rate fell at the size of the first window.
        int few = IS_FULL ? 8 : 1;
        int many = IS_FULL ? 256 : 4;
        AtomicLong shortNanos = new AtomicLong();
        AtomicLong longNanos = new AtomicLong();
        run(
                103,
                roundTripMillis,
                world -> {
                    transferNanos(world, few); // compiled, and grown to what the path takes
                    shortNanos.set(transferNanos(world, few));
                    longNanos.set(transferNanos(world, many));
                });
        double shortRate = few * 1e9 / shortNanos.get();
        double longRate = many * 1e9 / longNanos.get();
        if (IS_FULL) {
            System.out.printf(
                    "%d ms: %d MiB at %.0f MiB/s, %d MiB at %.0f MiB/s%n",
                    roundTripMillis, few, shortRate, many, longRate);
            assertThat(longRate / shortRate).isGreaterThan(0.8);
        }
    }

    @Test
    void aTransferAfterAPauseIsAsFastAsBefore() throws Exception {
        // Pitfall 104: what had been learned of the path was forgotten while it was idle.
        int messages = IS_FULL ? 64 : 2;
        Duration pause = IS_FULL ? Duration.ofSeconds(30) : Duration.ofSeconds(1);
        AtomicLong beforeNanos = new AtomicLong();
        AtomicLong afterNanos = new AtomicLong();
        run(
                104,
                20,
                world -> {
                    beforeNanos.set(transferNanos(world, messages));
                    assertThat(new CountDownLatch(1).await(pause.toNanos(), TimeUnit.NANOSECONDS))
                            .isFalse();
                    afterNanos.set(transferNanos(world, messages));
                });
        double ratio = afterNanos.get() / (double) beforeNanos.get();
        if (IS_FULL) {
            System.out.printf(
                    "%d MiB before a pause of %s: %d ms; after it %.2f times that%n",
                    messages, pause, beforeNanos.get() / 1_000_000, ratio);
            assertThat(ratio).isLessThan(1.5);
        }
    }

    /** What each of the two ranks does. */
    @FunctionalInterface
    private interface Program {
        void run(Communicator world) throws InterruptedException;
    }

    private static void run(long seed, int roundTripMillis, Program program) throws Exception {
        Faults delay = Faults.NONE.withDelay(Duration.ofNanos(roundTripMillis * 500_000L));
        try (ChaosJob job =
                ChaosJob.start(2, seed, Conditions.both(delay), NexarConfig.defaults())) {
            job.start(
                            DEADLINE,
                            world -> {
                                try {
                                    program.run(world);
                                } catch (InterruptedException e) {
                                    throw new AssertionError("the test was interrupted", e);
                                }
                            })
                    .get(6, TimeUnit.MINUTES);
            assertThat(job.failures()).isEmpty();
        }
    }

    /** From rank 1 to rank 0, and a word back: how long that takes, on both ranks. */
    private static long transferNanos(Communicator world, int messages) {
        long start = System.nanoTime();
        long[] message = new long[MESSAGE_LONGS];
        DataBuffer done = DataBuffer.allocate(DataType.I64, 1);
        for (int number = 0; number < messages; number++) {
            if (world.rank() == 1) {
                fill(message, number);
                world.send(DataBuffer.of(message), 0, 3);
            } else {
                world.receive(DataBuffer.of(message), 1, 3);
                assertThat(message[0]).isEqualTo(element(number, 0));
                int last = MESSAGE_LONGS - 1;
                assertThat(message[last]).isEqualTo(element(number, last));
            }
        }
        if (world.rank() == 1) {
            world.receive(done, 0, 4);
        } else {
            world.send(done, 1, 4);
        }
        return System.nanoTime() - start;
    }

    private static void fill(long[] message, int number) {
        for (int i = 0; i < MESSAGE_LONGS; i++) {
            message[i] = element(number, i);
        }
    }

    private static long element(int number, int i) {
        return (((long) number << 32) | i) * 0x9E3779B97F4A7C15L;
    }
}
