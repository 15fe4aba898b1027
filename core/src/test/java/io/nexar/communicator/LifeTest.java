package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DeadlineException;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.NexarException;
import io.nexar.OnEachTransport;
import io.nexar.ReduceOp;
import io.nexar.Request;
import io.nexar.Status;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Many communicators at a time, used, closed and abandoned by many threads. */
@Timeout(300)
class LifeTest {
    private static final boolean FULL = Boolean.getBoolean("nexar.test.full");
    private static final int COMMUNICATORS = 16;
    private static final int THREADS = 8;

    /** So little credit that no communicator could make way for another if they shared it. */
    private static final NexarConfig TINY =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "64")
                    .with("nexar.collective.hostPieceBytes", "64")
                    .with("nexar.collective.creditBytes", "64");

    // Pitfall 29: many communicators at once, each rank starting them in another order, hung.
    @ParameterizedTest
    @CsvSource({"local, 1", "local, 2", "quic, 3", "shm, 4", "tcp, 5"})
    void communicatorsThatAreUsedAtOnceInAnyOrderDontHoldEachOtherUp(
            String transport, long randomSeed) {
        int rounds = (FULL ? 10_000 : 800) / COMMUNICATORS;
        NexarConfig config = TINY.with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(3, config)) {
            cluster.run(world -> {
                List<Communicator> all = new ArrayList<>();
                for (int i = 0; i < COMMUNICATORS; i++) {
                    all.add(world.duplicate());
                }
                inThreads(thread -> {
                    Random random = new Random(randomSeed * 1000 + world.rank() * 100L + thread);
                    List<Communicator> own = new ArrayList<>();
                    for (int i = thread; i < COMMUNICATORS; i += THREADS) {
                        own.add(all.get(i));
                    }
                    for (int round = 0; round < rounds; round++) {
                        sumOnEach(own, round, random);
                    }
                });
                all.forEach(Communicator::close);
            });
        }
    }

    private static void sumOnEach(List<Communicator> own, int round, Random random) {
        Collections.shuffle(own, random);
        List<long[]> data = new ArrayList<>();
        List<Request<Void>> requests = new ArrayList<>();
        for (Communicator each : own) {
            long[] values = new long[1 + round % 20]; // up to three pieces
            for (int i = 0; i < values.length; i++) {
                values[i] = (each.rank() + 1L) * (round + i);
            }
            data.add(values);
            requests.add(each.async().allReduce(DataBuffer.of(values), ReduceOp.SUM));
        }
        for (int call = requests.size() - 1; call >= 0; call--) {
            requests.get(call).await();
            long[] values = data.get(call);
            for (int i = 0; i < values.length; i++) {
                assertThat(values[i]).isEqualTo(6L * (round + i));
            }
        }
    }

    // Pitfall 98: writing, closing and cancelling at random brought the JVM down.
    @ParameterizedTest
    @CsvSource({"local, 1", "quic, 2", "shm, 3", "tcp, 4"})
    void whateverThreadsSendCancelAndCloseAtRandomEveryCallEnds(String transport, long randomSeed) {
        int rounds = FULL ? 100 : 2;
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(2, config)) {
            for (int round = 0; round < rounds; round++) {
                long seed = randomSeed * 1000 + round;
                cluster.run(world -> abuse(world, seed));
                System.gc();
            }
        }
    }

    /**
     * Each thread sends, receives and cancels on all; each communicator is closed by some thread.
     */
    private static void abuse(Communicator world, long randomSeed) {
        List<Communicator> all = new ArrayList<>();
        for (int i = 0; i < COMMUNICATORS; i++) {
            all.add(world.withTimeout(Duration.ofSeconds(20)).duplicate());
        }
        world.barrier();
        int peer = 1 - world.rank();
        inThreads(thread -> {
            Random random = new Random(randomSeed * 100 + world.rank() * 10L + thread);
            List<Request<?>> requests = new ArrayList<>();
            for (int step = 0; step < 300; step++) {
                Communicator one = all.get(random.nextInt(COMMUNICATORS));
                int bytes = random.nextInt(10) == 0 ? 100_000 : 1 + random.nextInt(1000);
                try {
                    switch (random.nextInt(8)) {
                        case 0, 1, 2 ->
                                requests.add(
                                        one.async().send(DataBuffer.of(new byte[bytes]), peer, 1));
                        case 3, 4, 5 ->
                                requests.add(
                                        one.async()
                                                .receive(
                                                        DataBuffer.of(new byte[100_000]), peer, 1));
                        case 6 -> {
                            if (!requests.isEmpty()) {
                                requests.get(random.nextInt(requests.size())).cancel();
                            }
                        }
                        default -> {
                            if (step > 200) {
                                one.close();
                            }
                        }
                    }
                } catch (NexarException closedHereOrThere) {
                    assertThat(closedHereOrThere).hasMessageMatching("(?s).*(clos|left).*");
                }
            }
            all.forEach(Communicator::close);
            requests.forEach(LifeTest::requireOver);
        });
        world.barrier();
    }

    private static void requireOver(Request<?> request) {
        try {
            request.await(Duration.ofSeconds(10));
        } catch (DeadlineException late) {
            throw new AssertionError("seed in the test's name: a call did not end", late);
        } catch (NexarException | CancellationException ended) {
            assertThat(request.isDone()).isTrue();
        }
    }

    // Flaw 5: repeated tiny sums shared tags, and soon waited for each other's messages.
    @OnEachTransport
    void tinySumsOneAfterTheOtherStayApart(String transport) {
        NexarConfig config = TINY.with("nexar.transport", transport);
        int calls = FULL ? 200_000 : 800;
        try (LocalCluster cluster = LocalCluster.start(4, config)) {
            cluster.run(world -> {
                Communicator child = world.duplicate();
                long[] value = new long[1];
                for (int call = 0; call < calls; call++) {
                    value[0] = (world.rank() + 1L) * call;
                    (call % 2 == 0 ? world : child).allReduce(DataBuffer.of(value), ReduceOp.SUM);
                    assertThat(value[0]).isEqualTo(10L * call);
                }
            });
        }
    }

    // Flaw 8: a call that timed out left half a frame on the stream and ruined the link.
    @ParameterizedTest
    @CsvSource({"local, 5", "quic, 6", "shm, 7", "tcp, 8"})
    void callsThatTimeOutLeaveTheLaneWhole(String transport, long randomSeed) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        int rounds = FULL ? 2_000 : 60;
        try (LocalCluster cluster = LocalCluster.start(2, config)) {
            cluster.run(world -> {
                Communicator hasty = world.withTimeout(Duration.ofMillis(2));
                Random random = new Random(randomSeed);
                for (int round = 0; round < rounds; round++) {
                    int count = 1 + random.nextInt(60_000);
                    if (world.rank() == 0) {
                        world.send(DataBuffer.of(filled(count, round)), 1, round);
                    } else {
                        int[] got = new int[count];
                        Status status = receiveAtLast(hasty, world, got, round);
                        assertThat(status.bytes()).isEqualTo(4L * count);
                        assertThat(got).as("seed %d", randomSeed).isEqualTo(filled(count, round));
                    }
                }
            });
        }
    }

    private static Status receiveAtLast(
            Communicator hasty, Communicator patient, int[] target, int tag) {
        try {
            return hasty.receive(DataBuffer.of(target), 0, tag);
        } catch (DeadlineException tooHasty) {
            return patient.receive(DataBuffer.of(target), 0, tag);
        }
    }

    // What a rank could not make, the others need not wait for on what they have made.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aChildThatOneRankCouldNotMakeIsBrokenForThoseThatHaveIt(long randomSeed) {
        Random random = new Random(randomSeed);
        int patienceMicros = 1 + random.nextInt(400);
        boolean isSplit = random.nextBoolean();
        try (LocalCluster cluster = LocalCluster.start(4)) {
            cluster.run(world -> {
                // Rank 3 gives up at about the time at which making it succeeds.
                Communicator mine =
                        world.rank() == 3
                                ? world.withTimeout(Duration.ofNanos(patienceMicros * 1000L))
                                : world;
                Communicator child = null;
                try {
                    child =
                            isSplit
                                    ? mine.split(world.rank() / 2, 0).orElseThrow()
                                    : mine.duplicate();
                    child.withTimeout(Duration.ofSeconds(30)).barrier();
                } catch (DeadlineException ended) {
                    assertThat(child).as("seed %d: %s", randomSeed, ended).isNull();
                } catch (NexarException ended) {
                    if (child != null) {
                        assertThat(ended)
                                .as("seed %d", randomSeed)
                                .hasMessageContaining("rank")
                                .hasMessageContaining("could not make " + child.name());
                    }
                }
            });
        }
    }

    private static int[] filled(int count, int first) {
        int[] data = new int[count];
        for (int i = 0; i < count; i++) {
            data[i] = first * 100_003 + i;
        }
        return data;
    }

    private interface ThreadTask {
        void run(int thread);
    }

    private static void inThreads(ThreadTask task) {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                all.add(CompletableFuture.runAsync(() -> task.run(thread), threads));
            }
            all.forEach(CompletableFuture::join);
        }
    }
}
