package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nexar.ClosedException;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.DeadlineException;
import io.nexar.LocalCluster;
import io.nexar.MismatchException;
import io.nexar.NexarConfig;
import io.nexar.NexarException;
import io.nexar.OnEachTransport;
import io.nexar.PeerLeftException;
import io.nexar.ReduceOp;
import io.nexar.Request;
import io.nexar.Scope;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** How a rank's part ends: closed in good order, closed too early, aborted. */
@Timeout(60)
class ClosingTest {
    private static final Duration SOON = Duration.ofSeconds(1);

    /** Many slices, so that it is under way when the close comes. */
    private static final int ELEMENTS = 300_000;

    private static final NexarConfig QUIC = NexarConfig.defaults().with("nexar.transport", "quic");

    // Pitfall 100: closing lets running operations end, and end right.
    @OnEachTransport
    void closeFinishesWhatRuns(String transport) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        List<long[]> data = new ArrayList<>();
        List<Request<Void>> running = new ArrayList<>();
        try (LocalCluster cluster = LocalCluster.start(3, config)) {
            for (int call = 0; call < 16; call++) {
                for (Communicator world : cluster.communicators()) {
                    long[] own = new long[ELEMENTS];
                    for (int i = 0; i < own.length; i++) {
                        own[i] = (long) call * i + world.rank();
                    }
                    data.add(own);
                    running.add(world.async().allReduce(DataBuffer.of(own), ReduceOp.SUM));
                }
            }
        }
        assertThat(running).allMatch(Request::isDone);
        running.forEach(Request::await);
        for (int call = 0; call < 16; call++) {
            for (int rank = 0; rank < 3; rank++) {
                long[] sum = data.get(3 * call + rank);
                int c = call;
                assertThat(sum)
                        .isEqualTo(
                                LongStream.range(0, ELEMENTS).map(i -> 3L * c * i + 3).toArray());
            }
        }
    }

    // Pitfall 100: what can't end in time is reported, once everything is freed.
    @OnEachTransport
    void closeReportsWhatDidNotEndAndWhomItWaitedFor(String transport) throws Exception {
        NexarConfig config =
                NexarConfig.defaults()
                        .with("nexar.transport", transport)
                        .with("nexar.timeout.close", "500ms");
        LocalCluster cluster = LocalCluster.start(3, config);
        Request<Void> never =
                cluster.communicators()
                        .get(1)
                        .async()
                        .send(DataBuffer.allocate(DataType.I64, 1 << 17), 2, 7);
        assertThatExceptionOfType(DeadlineException.class)
                .isThrownBy(cluster::close)
                .withMessageContaining("messages on world")
                .withMessageContaining("500 ms")
                .satisfies(late -> assertThat(late.waitingFor()).containsExactly(2));
        assertThatExceptionOfType(NexarException.class).isThrownBy(never::await);
        Threads.requireNone();
        cluster.close(); // does nothing
    }

    @Test
    void aCollectiveThatTheOthersNeverCallIsNamedByClose() {
        NexarConfig config = NexarConfig.defaults().with("nexar.timeout.close", "300ms");
        LocalCluster cluster = LocalCluster.start(2, config);
        Request<Void> lonely = cluster.communicators().get(0).async().barrier();
        assertThatExceptionOfType(DeadlineException.class)
                .isThrownBy(cluster::close)
                .withMessageContaining("on world");
        assertThatExceptionOfType(ClosedException.class).isThrownBy(lonely::await);
    }

    @Test
    void aMismatchThatNoCallWasToldOfIsThrownByTheCloseOfItsCommunicator() {
        try (LocalCluster cluster = LocalCluster.start(2)) {
            List<Communicator> children = cluster.call(Communicator::duplicate);
            // The root's part of a small broadcast is over before the other rank has called.
            children.get(0).broadcast(DataBuffer.of(new int[] {1}), 0);
            assertThatExceptionOfType(MismatchException.class)
                    .isThrownBy(() -> children.get(1).barrier());
            children.get(1).close();
            // What tells rank 0 of the mismatch was sent before what tells it of the close.
            assertThatExceptionOfType(PeerLeftException.class)
                    .isThrownBy(() -> children.get(0).receive(DataBuffer.of(new int[1]), 1, 1));
            assertThatExceptionOfType(MismatchException.class)
                    .isThrownBy(() -> children.get(0).close())
                    .withMessageContaining("broadcast #0")
                    .withMessageContaining("barrier #0");
            children.get(0).close(); // does nothing
            cluster.run(Communicator::barrier);
        }
    }

    @Test
    void aMismatchThatNoCallWasToldOfIsThrownByTheCloseOfTheJob() throws Exception {
        JoinedRanks job = new JoinedRanks(2, QUIC);
        List<CompletableFuture<Communicator>> making = new ArrayList<>();
        for (JoinedProcess rank : job.processes()) {
            making.add(
                    CompletableFuture.supplyAsync(rank.world()::duplicate, ClosingTest::inThread));
        }
        Communicator first = making.get(0).get();
        Communicator second = making.get(1).get();
        first.broadcast(DataBuffer.of(new int[] {1}), 0);
        assertThatExceptionOfType(MismatchException.class).isThrownBy(second::barrier);
        // What tells rank 0 was sent before this, on the same lane.
        second.close();
        assertThatExceptionOfType(PeerLeftException.class)
                .isThrownBy(() -> first.receive(DataBuffer.of(new int[1]), 1, 1));
        assertThatExceptionOfType(MismatchException.class)
                .isThrownBy(job::close)
                .withMessageContaining("broadcast #0")
                .withMessageContaining("barrier #0")
                .withMessageContaining("close on world.duplicate(0)");
        Threads.requireNone();
    }

    @Test
    void nothingStartsOnARankThatIsClosed() {
        List<Communicator> kept = new ArrayList<>();
        try (LocalCluster cluster = LocalCluster.start(2)) {
            cluster.run(world -> {
                Communicator child = world.duplicate();
                synchronized (kept) {
                    kept.add(child);
                }
            });
            kept.addAll(cluster.communicators());
        }
        for (Communicator communicator : kept) {
            assertThatExceptionOfType(ClosedException.class).isThrownBy(communicator::barrier);
            assertThatExceptionOfType(ClosedException.class).isThrownBy(communicator::duplicate);
            assertThatExceptionOfType(ClosedException.class)
                    .isThrownBy(() -> communicator.receive(DataBuffer.of(new int[1]), 0, 1));
        }
    }

    // Pitfall 37: a rank that finishes early has left; it has not failed, nor shut others down.
    @Test
    void whoNeedsARankThatLeftTheJobIsToldSoWithinASecond() throws Exception {
        try (JoinedRanks job = new JoinedRanks(4, QUIC)) {
            List<CompletableFuture<NexarException>> outcomes = new ArrayList<>();
            onEach(
                    job,
                    rank -> {
                        for (int step = 0; step < 5; step++) {
                            int[] sum = {step};
                            rank.world().allReduce(DataBuffer.of(sum), ReduceOp.SUM);
                            assertThat(sum[0]).isEqualTo(4 * step);
                        }
                    });
            job.processes().get(2).close();
            long begin = System.nanoTime();
            for (int survivor : new int[] {0, 1, 3}) {
                Communicator world = job.processes().get(survivor).world();
                outcomes.add(
                        failureOf(
                                () -> world.allReduce(DataBuffer.of(new int[] {1}), ReduceOp.SUM)));
            }
            for (CompletableFuture<NexarException> outcome : outcomes) {
                assertThat(outcome.get())
                        .isInstanceOf(PeerLeftException.class)
                        .hasMessageContaining("rank 2")
                        .hasMessageContaining("allReduce #5");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
        }
    }

    // Pitfall 101: without its seed a job still ends, at once and on every rank.
    @Test
    void abortEndsEveryWaitingCallOnEveryRankAlsoWithoutASeed() throws Exception {
        try (JoinedRanks job = new JoinedRanks(4, QUIC)) {
            List<Communicator> children = new ArrayList<>();
            List<CompletableFuture<Communicator>> making = new ArrayList<>();
            for (JoinedProcess rank : job.processes()) {
                making.add(
                        CompletableFuture.supplyAsync(
                                rank.world()::duplicate, ClosingTest::inThread));
            }
            for (CompletableFuture<Communicator> made : making) {
                children.add(made.get());
            }
            job.closeSeed();
            List<CompletableFuture<NexarException>> waiting = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Communicator world = job.processes().get(i).world();
                Communicator child = children.get(i);
                int tag = i;
                waiting.add(failureOf(world::barrier));
                waiting.add(failureOf(() -> child.receive(DataBuffer.of(new int[1]), 3, tag)));
                waiting.add(
                        failureOf(
                                () -> child.allReduce(DataBuffer.of(new int[] {1}), ReduceOp.SUM)));
            }
            long begin = System.nanoTime();
            job.processes().get(3).abort("the input is bad");
            for (CompletableFuture<NexarException> call : waiting) {
                assertThat(call.get())
                        .isInstanceOf(ClosedException.class)
                        .hasMessageContaining("rank 3 aborted it: the input is bad");
                assertThat(call.get().scope()).isEqualTo(Scope.PROCESS);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
            for (JoinedProcess rank : job.processes()) {
                assertThatExceptionOfType(ClosedException.class)
                        .isThrownBy(rank.world()::barrier)
                        .withMessageContaining("aborted it: the input is bad");
                assertThatExceptionOfType(ClosedException.class)
                        .isThrownBy(() -> rank.world().send(DataBuffer.of(new int[1]), 0, 1));
            }
        }
        Threads.requireNone();
    }

    private static CompletableFuture<NexarException> failureOf(Runnable call) {
        return CompletableFuture.supplyAsync(
                () -> catchThrowableOfType(NexarException.class, call::run), ClosingTest::inThread);
    }

    private static void onEach(JoinedRanks job, Consumer<JoinedProcess> task) throws Exception {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (JoinedProcess rank : job.processes()) {
            all.add(CompletableFuture.runAsync(() -> task.accept(rank), ClosingTest::inThread));
        }
        for (CompletableFuture<Void> each : all) {
            each.get();
        }
    }

    private static void inThread(Runnable task) {
        RankThreads.task(0, task).start();
    }
}
