package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nexar.ClosedException;
import io.nexar.Communicator;
import io.nexar.ConfigurationException;
import io.nexar.MembershipEvent;
import io.nexar.NexarConfig;
import io.nexar.PeerLostException;
import io.nexar.Scope;
import io.nexar.rendezvous.TetherEvent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Ranks of one JVM over QUIC, with little patience. */
@Timeout(120)
@Execution(ExecutionMode.SAME_THREAD)
class DetectionTest {
    private static final Duration SUSPECT_AFTER = Duration.ofMillis(700);
    private static final Duration CONFIRM = Duration.ofMillis(700);
    private static final Duration CUT_OFF = Duration.ofSeconds(3);

    private static final NexarConfig IMPATIENT =
            NexarConfig.defaults()
                    .with("nexar.transport", "quic")
                    .with("nexar.heartbeat.interval", "100ms")
                    .with("nexar.heartbeat.suspectAfter", SUSPECT_AFTER.toMillis() + "ms")
                    .with("nexar.heartbeat.confirm", CONFIRM.toMillis() + "ms")
                    .with("nexar.heartbeat.cutOff", CUT_OFF.toMillis() + "ms");

    private static final NexarConfig PATIENT =
            NexarConfig.defaults().with("nexar.transport", "quic");

    @Test
    void aRankThatIsBusyInUserCodeForFiveTimesThePatienceIsNotGivenUp() throws Exception {
        // Pitfall 43: slow, writing a checkpoint say, is not dead.
        JoinedRanks ranks = new JoinedRanks(3, IMPATIENT);
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
            List<Future<Double>> sums = new ArrayList<>();
            for (int rank = 1; rank < 3; rank++) {
                sums.add(threads.submit(summing(ranks.communicators().get(rank))));
            }
            assertThat(sums.getFirst()).isNotDone();
            waitFor(SUSPECT_AFTER.plus(CONFIRM).multipliedBy(5));
            sums.add(threads.submit(summing(ranks.communicators().get(0))));
            for (Future<Double> sum : sums) {
                assertThat(sum.get(30, TimeUnit.SECONDS)).isEqualTo(0 + 1 + 2);
            }
        } finally {
            ranks.close();
        }
    }

    @Test
    void aRankThatFallsSilentIsGivenUpByTheOthersAndLearnsIt() throws Exception {
        // Pitfalls 38 and 44: it answers the seed, so it lives; nobody can reach it all the same.
        JoinedRanks ranks = new JoinedRanks(3, IMPATIENT);
        Queue<MembershipEvent> heard = new ConcurrentLinkedQueue<>();
        JoinedProcess silent = ranks.processes().get(1);
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
            ranks.processes().get(0).membership().subscribe(heard::add);
            List<Future<Double>> sums = new ArrayList<>();
            for (int rank : new int[] {0, 2}) {
                sums.add(threads.submit(summing(ranks.communicators().get(rank))));
            }
            silent.detection().stop();
            for (Future<Double> sum : sums) {
                assertThatThrownBy(() -> sum.get(60, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(PeerLostException.class)
                        .hasMessageContaining("rank 1 lost")
                        .hasMessageContaining("out of reach of rank ");
            }
            assertThat(expulsion(ranks.communicators().get(1)))
                    .hasMessageContaining("this rank was given up by the others: out of reach of");
            assertThat(heard)
                    .first()
                    .isEqualTo(
                            new MembershipEvent.Suspected(silent.membership().members().get(1), 0));
            assertThat(heard).anyMatch(MembershipEvent.Lost.class::isInstance);
        } finally {
            ranks.close();
        }
    }

    @Test
    void whomTheSeedExpelsLosesNobody() throws Exception {
        // Pitfall 44: it is out itself; what it then finds closed are no deaths of others.
        JoinedRanks ranks = new JoinedRanks(3, PATIENT);
        Queue<MembershipEvent> heard = new ConcurrentLinkedQueue<>();
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
            JoinedProcess expelled = ranks.processes().get(1);
            expelled.membership().subscribe(heard::add);
            Future<Double> sum = threads.submit(summing(ranks.communicators().get(1)));
            expelled.detection().onTether(new TetherEvent.Expelled("silent for 8.1 s"));
            assertThatThrownBy(() -> sum.get(30, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(ClosedException.class)
                    .hasStackTraceContaining("given up by the others: silent for 8.1 s");
            waitFor(Duration.ofMillis(500)); // for the links to be seen closed
            assertThat(heard).isEmpty();
        } finally {
            ranks.close();
        }
    }

    @Test
    void aProcessWhoseConnectionsAreClosedByTheKernelIsGivenUpWithinThreeSecondsWithoutASeed()
            throws Exception {
        // Pitfall 38: its listener goes and its tethers break, as when it is killed.
        JoinedRanks ranks = new JoinedRanks(4, PATIENT);
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
            List<Future<Double>> first = new ArrayList<>();
            for (Communicator world : ranks.communicators()) {
                first.add(threads.submit(summing(world)));
            }
            for (Future<Double> sum : first) {
                assertThat(sum.get(30, TimeUnit.SECONDS)).isEqualTo(0 + 1 + 2 + 3);
            }
            NeighbourPort dying = ranks.processes().get(2).plane().neighbours();
            awaitTethers(dying, 4);
            ranks.closeSeed();
            List<Future<Double>> sums = new ArrayList<>();
            for (int rank : new int[] {0, 1, 3}) {
                sums.add(threads.submit(summing(ranks.communicators().get(rank))));
            }
            ranks.processes().get(2).detection().stop();
            long killedAt = System.nanoTime();
            dying.close();
            for (Future<Double> sum : sums) {
                assertThatThrownBy(() -> sum.get(60, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(PeerLostException.class)
                        .hasMessageContaining("rank 2 lost")
                        .hasMessageContaining("nobody listens at its address any more");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - killedAt))
                    .isLessThan(Duration.ofSeconds(3));
        } finally {
            ranks.close();
        }
    }

    @Test
    void ranksThatCloseInGoodOrderAreNoDeathsForTheirNeighbours() throws Exception {
        JoinedRanks ranks = new JoinedRanks(3, PATIENT);
        Queue<MembershipEvent> heard = new ConcurrentLinkedQueue<>();
        try {
            awaitTethers(ranks.processes().get(1).plane().neighbours(), 4);
            ranks.processes().get(0).membership().subscribe(heard::add);
            ranks.processes().get(1).close();
            ranks.processes().get(2).close();
            waitFor(Duration.ofSeconds(2)); // for three refusals, if there were a doubt
            assertThat(heard).hasSize(2).allMatch(MembershipEvent.Left.class::isInstance);
        } finally {
            ranks.close();
        }
    }

    private static void awaitTethers(NeighbourPort port, int count) throws Exception {
        int standing = 0;
        for (int i = 0; i < 300 && standing < count; i++) {
            CompletableFuture<Integer> answer = new CompletableFuture<>();
            port.execute(() -> answer.complete(port.standing()));
            standing = answer.get(30, TimeUnit.SECONDS);
            waitFor(Duration.ofMillis(50));
        }
        assertThat(standing).isEqualTo(count);
    }

    @Test
    void spansThatDoNotFitEachOtherAreRefusedByName() {
        for (var wrong :
                List.of(
                        List.of("nexar.heartbeat.interval", "4s", "nexar.heartbeat.suspectAfter"),
                        List.of("nexar.heartbeat.confirm", "100ms", "nexar.heartbeat.confirm"),
                        List.of("nexar.heartbeat.cutOff", "7s", "nexar.heartbeat.cutOff"))) {
            NexarConfig config = NexarConfig.defaults().with(wrong.get(0), wrong.get(1));
            assertThatThrownBy(() -> Detection.settings(config))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(wrong.get(2) + " = '")
                    .hasMessageContaining("must be at least");
        }
    }

    /** What calls end with once the rank knows; before, one of the others may have given one up. */
    private static ClosedException expulsion(Communicator world) {
        while (true) {
            ClosedException end = catchThrowableOfType(ClosedException.class, world::barrier);
            if (end.scope() == Scope.PROCESS) {
                return end;
            }
            assertThat(end).hasMessageContaining("gave up: it has lost this rank: out of reach of");
        }
    }

    private static Callable<Double> summing(Communicator world) {
        return () -> {
            double[] mine = {world.rank()};
            world.allReduce(io.nexar.DataBuffer.of(mine), io.nexar.ReduceOp.SUM);
            return mine[0];
        };
    }

    private static void waitFor(Duration time) throws InterruptedException {
        Object monitor = new Object();
        long deadline = System.nanoTime() + time.toNanos();
        synchronized (monitor) {
            for (long left = time.toMillis(); left > 0; ) {
                monitor.wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
        }
    }
}
