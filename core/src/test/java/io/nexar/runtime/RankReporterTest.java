package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;
import io.nexar.Request;
import io.nexar.observe.CallReport;
import io.nexar.observe.CommunicatorReport;
import io.nexar.observe.RankReport;
import io.nexar.observe.RankReport.Activity;
import io.nexar.rendezvous.JobStatus;
import io.nexar.rendezvous.JoinEnvironment;
import io.nexar.rendezvous.MemberRow;
import io.nexar.rendezvous.SeedServer;
import io.nexar.rendezvous.StatusClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Real ranks in this JVM, linked by sockets, looked at through their seed. */
@Timeout(120)
class RankReporterTest {
    private static final int RANKS = 3;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final NexarConfig config = NexarConfig.defaults().with("nexar.timeout.dial", "60s");
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SeedServer seed =
            SeedServer.start(JoinedRanks.seedSettings(RANKS, config, new SecureRandom()));
    private final List<JoinedProcess> ranks = new ArrayList<>();

    @BeforeEach
    void join() throws Exception {
        List<Future<JoinedProcess>> joins = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            JoinEnvironment place = new JoinEnvironment(seed.joinString(), rank, RANKS);
            joins.add(threads.submit(() -> JoinedProcess.join(config, place)));
        }
        for (Future<JoinedProcess> join : joins) {
            ranks.add(join.get(PATIENCE_NANOS, TimeUnit.NANOSECONDS));
        }
    }

    @AfterEach
    void part() {
        ranks.forEach(JoinedProcess::close);
        seed.close();
        threads.shutdownNow();
    }

    private JobStatus look() {
        return StatusClient.look(
                seed.joinString(), PATIENCE_NANOS, Thread.ofPlatform().daemon().factory());
    }

    private JobStatus lookUntil(String what, Predicate<JobStatus> expected) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        JobStatus status = look();
        while (!expected.test(status)) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within a minute: " + what + "; last " + status);
            }
            status = look();
        }
        return status;
    }

    private static RankReport report(JobStatus status, int rank) {
        return Objects.requireNonNull(status.members().get(rank).report());
    }

    private Communicator world(int rank) {
        return ranks.get(rank).world();
    }

    @Test
    void theCallOfEachRankAndWhomItWaitsForIsShown() throws Exception {
        List<Future<?>> sums = new ArrayList<>();
        for (int rank : new int[] {0, 2}) {
            Communicator world = world(rank);
            sums.add(
                    threads.submit(
                            () -> world.allReduce(DataBuffer.of(new long[100]), ReduceOp.MAX)));
        }
        JobStatus status =
                lookUntil(
                        "rank 1 is waited for by both others",
                        it ->
                                waitsFor(report(it, 0), List.of(1))
                                        && waitsFor(report(it, 2), List.of(1)));
        assertThat(report(status, 0).activity()).isEqualTo(Activity.IN_CALL);
        assertThat(report(status, 1).activity()).isEqualTo(Activity.IN_USER_CODE);
        CallReport call = report(status, 2).communicators().getFirst().calls().getFirst();
        assertThat(call.describe()).isEqualTo("allReduce #0 (100 I64, MAX)");
        assertThat(report(status, 1).communicators().getFirst().nextSequence()).isZero();
        world(1).allReduce(DataBuffer.of(new long[100]), ReduceOp.MAX);
        for (Future<?> sum : sums) {
            sum.get(60, TimeUnit.SECONDS);
        }
    }

    /** For a second and more: by then a rank has asked the others. */
    private static boolean waitsFor(RankReport report, List<Integer> ranks) {
        return report.communicators().getFirst().calls().stream()
                .anyMatch(call ->
                        call.waitingFor().equals(ranks) && call.ageNanos() > 1_000_000_000L);
    }

    @Test
    void queuesOfEveryCommunicatorAndEveryLinkAreShown() throws Exception {
        List<Future<Communicator>> copies = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            copies.add(threads.submit(world(rank)::duplicate));
        }
        Communicator copy = copies.get(0).get(60, TimeUnit.SECONDS);
        copies.get(1).get(60, TimeUnit.SECONDS);
        Communicator other = copies.get(2).get(60, TimeUnit.SECONDS);
        copy.send(DataBuffer.of(new int[] {1, 2, 3}), 2, 4);
        Request<?> posted = other.async().receive(DataBuffer.of(new int[1]), 1, 9);
        Request<Void> unsent = copy.async().send(DataBuffer.of(new long[1 << 17]), 1, 6);
        JobStatus status =
                lookUntil(
                        "the message is there",
                        it -> copyOf(report(it, 2)).queues().unexpectedMessages() == 1);
        RankReport two = report(status, 2);
        assertThat(two.communicators()).hasSize(2);
        assertThat(copyOf(two).queues().unexpectedBytes()).isEqualTo(12);
        assertThat(copyOf(two).queues().postedReceives()).isEqualTo(1);
        assertThat(copyOf(two).calls())
                .extracting(CallReport::describe)
                .containsExactly("receive (tag 9)");
        assertThat(copyOf(two).calls().getFirst().waitingFor()).containsExactly(1);
        RankReport zero = report(status, 0);
        assertThat(copyOf(zero).queues().unsentMessages()).isEqualTo(1);
        assertThat(copyOf(zero).queues().unsentBytes()).isEqualTo(1L << 20);
        assertThat(copyOf(zero).calls())
                .extracting(CallReport::describe)
                .containsExactly("send (1048576 bytes, tag 6)");
        assertThat(zero.links()).hasSize(2).allMatch(link -> link.isUp());
        assertThat(zero.links()).extracting(link -> link.transport()).containsOnly("shm");
        assertThat(zero.process().threads()).isPositive();
        posted.cancel();
        copies.get(1).get().receive(DataBuffer.of(new long[1 << 17]), 0, 6);
        unsent.await(Duration.ofSeconds(60));
    }

    private static CommunicatorReport copyOf(RankReport report) {
        return report.communicators().getLast();
    }

    @Test
    void aRankThatHasLeftIsShownAndItsLinksAreGone() {
        ranks.get(1).close();
        JobStatus status =
                lookUntil(
                        "rank 1 has left",
                        it -> it.members().get(1).row().standing() == MemberRow.Standing.LEFT);
        assertThat(status.members().get(1).report()).isNull();
        assertThat(report(status, 0).links().getFirst().peer()).isEqualTo(1);
        assertThat(report(status, 0).links().getFirst().goneBecause()).isNotEmpty();
    }
}
