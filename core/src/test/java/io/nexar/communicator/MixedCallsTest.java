package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Communicator;
import io.nexar.LocalCluster;
import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.wire.CommunicatorPath;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** All operations at once: many communicators, many calls in flight, any sequence number. */
@Timeout(300)
class MixedCallsTest {
    private static final boolean FULL = Boolean.getBoolean("nexar.test.full");
    private static final int COMMUNICATORS = 16;
    private static final int THREADS = 8;
    private static final int IN_FLIGHT = 64;

    /** Several pieces a call, and so little credit that each waits for the one before. */
    private static final NexarConfig TINY =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "64")
                    .with("nexar.collective.hostPieceBytes", "64")
                    .with("nexar.collective.creditBytes", "64");

    // Pitfall 29: sixteen communicators, eight threads, another order on each rank, every
    // operation.
    @ParameterizedTest
    @CsvSource({"local, 1", "local, 2", "quic, 3", "shm, 4", "tcp, 5"})
    void communicatorsThatAreUsedAtOnceInAnyOrderGiveTheRightAnswers(
            String transport, long randomSeed) {
        int rounds = (FULL ? 100 : 2) * MixedCalls.KINDS;
        try (LocalCluster cluster =
                LocalCluster.start(3, TINY.with("nexar.transport", transport))) {
            cluster.run(world -> {
                List<MixedCalls> all = new ArrayList<>();
                for (int i = 0; i < COMMUNICATORS; i++) {
                    all.add(new MixedCalls(world.duplicate()));
                }
                inThreads(thread -> {
                    List<Integer> own = new ArrayList<>();
                    for (int i = thread; i < COMMUNICATORS; i += THREADS) {
                        own.add(i);
                    }
                    Random random = new Random(randomSeed * 1000 + world.rank() * 100L + thread);
                    for (int round = 0; round < rounds; round++) {
                        Collections.shuffle(own, random);
                        List<MixedCalls.Call> calls = new ArrayList<>();
                        for (int each : own) {
                            calls.add(all.get(each).start(round + each));
                        }
                        Collections.shuffle(calls, random);
                        calls.forEach(MixedCalls.Call::finish);
                        if (round % MixedCalls.KINDS == 0) {
                            // Blocking ones wait for all ranks, so all take them in one order.
                            own.stream().sorted().forEach(each -> all.get(each).runBlocking(each));
                        }
                    }
                });
            });
        }
    }

    @OnEachTransport
    void sixtyFourCallsThatAreAwaitedInReverseAreAllRight(String transport) {
        for (NexarConfig config : List.of(NexarConfig.defaults(), TINY)) {
            try (LocalCluster cluster =
                    LocalCluster.start(4, config.with("nexar.transport", transport))) {
                cluster.run(world -> {
                    for (int round = 0; round < (FULL ? 50 : 3); round++) {
                        finishInReverse(new MixedCalls(world), round * IN_FLIGHT);
                    }
                });
            }
        }
    }

    private static void finishInReverse(MixedCalls mixed, int first) {
        List<MixedCalls.Call> calls = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
            calls.add(mixed.start(first + i));
        }
        calls.reversed().forEach(MixedCalls.Call::finish);
    }

    /** Where a number that was kept in an int, or compared as one, would turn over. */
    @ParameterizedTest
    @CsvSource({
        "local, 31",
        "local, 32",
        "local, 63",
        "local, 64",
        "quic, 31",
        "quic, 32",
        "quic, 63",
        "shm, 31",
        "shm, 32",
        "tcp, 31",
        "tcp, 32"
    })
    void sequenceNumbersGoOnBeyondEveryPowerOfTwo(String transport, int power) {
        long firstSequence = (power == 64 ? 0 : 1L << power) - IN_FLIGHT / 2;
        try (LocalCluster cluster =
                LocalCluster.start(3, TINY.with("nexar.transport", transport))) {
            cluster.run(world -> {
                Communicator late = startingAt(world, firstSequence);
                assertThat(lateSequence(late)).isEqualTo(firstSequence);
                finishInReverse(new MixedCalls(late), 0);
                new MixedCalls(late).runBlocking(1);
                assertThat(lateSequence(late)).isGreaterThan(firstSequence + IN_FLIGHT / 2);
                late.close();
            });
        }
    }

    /** A child whose first call has that number. */
    private static Communicator startingAt(Communicator parent, long firstSequence)
            throws Exception {
        CommunicatorCore core = core(parent);
        List<CommunicatorPath.Branch> branches =
                List.of(new CommunicatorPath.Branch(Integer.MAX_VALUE, 0));
        List<MemberId> members = core.members();
        return new NexarCommunicator(
                core.child(
                        "late",
                        new CommunicatorPath(parent.epoch(), branches),
                        members,
                        firstSequence),
                Duration.ofSeconds(60));
    }

    private static long lateSequence(Communicator late) throws Exception {
        return core(late).engine().nextSequence();
    }

    private static CommunicatorCore core(Communicator communicator) throws Exception {
        Field field = NexarCommunicator.class.getDeclaredField("core");
        field.setAccessible(true);
        return (CommunicatorCore) field.get(communicator);
    }

    private interface ThreadTask {
        void run(int thread) throws Exception;
    }

    private static void inThreads(ThreadTask task) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                all.add(
                        threads.submit(() -> {
                            task.run(thread);
                            return null;
                        }));
            }
            for (Future<?> each : all) {
                try {
                    each.get();
                } catch (ExecutionException failure) {
                    threads.shutdownNow();
                    throw failure;
                }
            }
        }
    }
}
