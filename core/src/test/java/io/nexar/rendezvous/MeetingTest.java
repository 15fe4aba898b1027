package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.InterruptedOperationException;
import io.nexar.RendezvousException;
import io.nexar.security.JoinString;
import io.nexar.security.NodeIdentity;
import io.nexar.transport.PeerAddress;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Real seeds and workers over loopback. */
class MeetingTest {

    @Test
    void fourWorkersFormWithTheRanksTheyAskedForAndCertificatesOfTheirOwn() throws Exception {
        try (Job job = Job.start(4, Job.FORMATION)) {
            List<Formation> formations = job.joinAll(4);
            for (int rank = 0; rank < 4; rank++) {
                Formation formation = formations.get(rank);
                assertThat(formation.rank()).isEqualTo(rank);
                assertThat(formation.worldSize()).isEqualTo(4);
                assertThat(formation.roster()).isEqualTo(formations.getFirst().roster());
                assertThat(formation.roster().entry(rank).member()).isEqualTo(formation.self());
                assertThat(NodeIdentity.of(formation.identity().certificate()))
                        .isEqualTo(new NodeIdentity("job", formation.self().id()));
                assertThat(formation.roster().entry(rank).addresses().getFirst().candidates())
                        .containsExactly("127.0.0.1:" + formation.self().id());
            }
            assertThat(job.seed.status()).isEqualTo(new SeedStatus(SeedPhase.RUNNING, 4, 4));
        }
    }

    @Test
    void tooFewWorkersEndAtTheDeadlineWithTheMissingRanksOnAllSides() throws Exception {
        // Pitfall 40: those who had come waited for ever for one who never dialled.
        try (Job job = Job.start(4, Duration.ofSeconds(4))) {
            Future<Formation> first = job.join(0);
            Future<Formation> second = job.join(2);
            assertThat(Job.failure(first).missingRanks()).containsExactly(1, 3);
            assertThat(Job.failure(second))
                    .hasMessageContaining("2 of 4 ranks came")
                    .hasMessageContaining("rank 1, rank 3");
            assertThat(job.told)
                    .anySatisfy(event ->
                            assertThat(event)
                                    .isInstanceOfSatisfying(
                                            SeedEvent.FormationFailed.class,
                                            it ->
                                                    assertThat(it.missingRanks())
                                                            .containsExactly(1, 3)));
            assertThat(Job.failure(job.join(1))).hasMessageContaining("2 of 4 ranks came");
        }
    }

    @Test
    void ipv6LoopbackWorksLikeIpv4() throws Exception {
        // Pitfall 50: one side on IPv4, the other on IPv6, and an assertion instead of a reason.
        InetAddress loopback = InetAddress.getByName("::1");
        try (Job job = Job.start(loopback, "six", 2, Job.FORMATION)) {
            assertThat(job.seed.joinString().toString()).contains("[::1]");
            List<Formation> formations = job.joinAll(2);
            assertThat(formations.getFirst().roster().entry(1).addresses().getFirst().candidates())
                    .containsExactly("::1:" + formations.get(1).self().id());
            JoinString other =
                    new JoinString(
                            "127.0.0.1",
                            job.seed.joinString().port(),
                            "six",
                            job.seed.joinString().pin(),
                            job.seed.joinString().token());
            JoinSettings base = Job.settings(other, 0);
            JoinTimeouts shortly = new JoinTimeouts(500_000_000L, 500_000_000L);
            assertThat(Job.failure(job.join(with(base, shortly), new Job.Loopback())))
                    .hasMessageContaining("127.0.0.1")
                    .hasMessageContaining("refused");
        }
    }

    private static JoinSettings with(JoinSettings base, JoinTimeouts timeouts) {
        return new JoinSettings(
                base.seed(),
                base.rank(),
                base.worldSize(),
                base.jobSettings(),
                base.host(),
                base.networkInterface(),
                timeouts,
                new Random(7),
                base.nanoClock(),
                base.threads());
    }

    @Test
    @Timeout(240) // on a busy machine: all of their handshakes share its cores
    void manyWorkersThatDialAtOnceAllGetIn() throws Exception {
        // Pitfall 70: above 64 ranks, and later above 1,000, dials of one moment were reset.
        int workers = Boolean.getBoolean("nexar.test.full") ? 500 : 100;
        try (Job job = Job.start(workers, Duration.ofSeconds(200))) {
            List<Formation> formations = job.joinAll(workers);
            assertThat(formations.stream().map(Formation::rank).distinct()).hasSize(workers);
        }
    }

    @Test
    void twentySeedsThatStartAtOnceAllFindAPort() throws Exception {
        // Pitfall 68: a port that was found free before was taken by another when it was bound.
        List<CompletableFuture<Job>> starting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            starting.add(CompletableFuture.supplyAsync(() -> Job.start(1, Job.FORMATION)));
        }
        List<Integer> ports = new ArrayList<>();
        for (CompletableFuture<Job> job : starting) {
            try (Job started = job.get(30, TimeUnit.SECONDS)) {
                ports.add(started.seed.address().getPort());
                assertThat(started.join(0).get(30, TimeUnit.SECONDS).rank()).isZero();
            }
        }
        assertThat(ports).hasSize(20);
    }

    @Test
    void aDeathAGoodbyeAndAnAbortReachTheOthers() throws Exception {
        try (Job job = Job.start(3, Job.FORMATION)) {
            List<Formation> ranks = job.joinAll(3);
            Queue<TetherEvent> heard = new ConcurrentLinkedQueue<>();
            ranks.get(1).tether().abort("loss is NaN");
            Job.await(() -> job.told.contains(new SeedEvent.Aborted(1, "loss is NaN")));
            ranks.get(2).tether().cut();
            Job.await(() -> job.seed.status().members() == 2);
            ranks.get(0).tether().listen(heard::add);
            long start = System.nanoTime();
            ranks.get(1).tether().leave("done", TimeUnit.SECONDS.toNanos(30));
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
            Job.await(() -> heard.size() == 3);
            assertThat(List.copyOf(heard))
                    .containsExactly(
                            new TetherEvent.Aborted(1, "loss is NaN"),
                            new TetherEvent.Departed(
                                    ranks.get(2).self(), 2, false, "the connection closed"),
                            new TetherEvent.Departed(ranks.get(1).self(), 1, true, "done"));
            job.seed.reportExit(0, "exit code 3");
            Job.await(() -> job.seed.status().phase() == SeedPhase.ENDED);
        }
    }

    @Test
    void aJobGoesOnWithoutItsSeedAndItsMembersLeaveAtOnce() throws Exception {
        // Pitfall 101: the exit waited minutes for a meeting point that was gone.
        try (Job job = Job.start(2, Job.FORMATION)) {
            List<Formation> ranks = job.joinAll(2);
            Queue<TetherEvent> heard = new ConcurrentLinkedQueue<>();
            ranks.getFirst().tether().listen(heard::add);
            job.seed.close();
            Job.await(() -> !heard.isEmpty());
            assertThat(heard).hasOnlyElementsOfType(TetherEvent.SeedLost.class);
            long start = System.nanoTime();
            for (Formation rank : ranks) {
                rank.tether().leave("done", TimeUnit.SECONDS.toNanos(30));
            }
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(2));
        }
    }

    @Test
    void aSilentSeedFailsTheDialInItsTime() throws Exception {
        // Pitfall 41: the user's timeout did not reach the first connect, or the handshake.
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Job job = Job.start(1, Job.FORMATION)) {
            JoinString there =
                    new JoinString(
                            "127.0.0.1",
                            silent.getLocalPort(),
                            "job",
                            job.seed.joinString().pin(),
                            job.seed.joinString().token());
            JoinTimeouts dial =
                    new JoinTimeouts(Job.FORMATION.toNanos(), TimeUnit.SECONDS.toNanos(2));
            long start = System.nanoTime();
            assertThat(
                            Job.failure(
                                    job.join(
                                            with(Job.settings(there, 0), dial),
                                            new Job.Loopback())))
                    .hasMessageContaining("within 2000 ms");
            assertThat(System.nanoTime() - start)
                    .isBetween(TimeUnit.SECONDS.toNanos(2), TimeUnit.MILLISECONDS.toNanos(4_000));
        }
    }

    @Test
    void endpointsThatDoNotOpenWithdrawTheWorkerAndSayWhy() throws Exception {
        try (Job job = Job.start(2, Duration.ofSeconds(6))) {
            DataPlane broken =
                    new DataPlane() {
                        @Override
                        public List<PeerAddress> open(Admission admission) {
                            throw new IllegalStateException("no UDP here");
                        }

                        @Override
                        public CompletableFuture<Void> link(Roster roster, int rank) {
                            throw new AssertionError("not reached");
                        }
                    };
            assertThat(Job.failure(job.join(job.settings(1), broken)))
                    .hasMessageContaining("no UDP here");
            assertThat(Job.failure(job.join(0)))
                    .hasMessageContaining("came and went")
                    .hasMessageContaining("no UDP here")
                    .satisfies(e -> assertThat(e.missingRanks()).containsExactly(1));
        }
    }

    @Test
    void aPeerThatCannotBeLinkedEndsTheFormationForAll() throws Exception {
        try (Job job = Job.start(2, Job.FORMATION)) {
            DataPlane lonely =
                    new DataPlane() {
                        @Override
                        public List<PeerAddress> open(Admission admission) {
                            return List.of();
                        }

                        @Override
                        public CompletableFuture<Void> link(Roster roster, int rank) {
                            return CompletableFuture.failedFuture(
                                    new LinkFailure(
                                            0, "127.0.0.1:9 did not answer", new IOException()));
                        }
                    };
            Future<Formation> first = job.join(0);
            Future<Formation> second = job.join(job.settings(1), lonely);
            for (Future<Formation> join : List.of(first, second)) {
                assertThat(Job.failure(join))
                        .hasMessageContaining("does not reach rank 0: 127.0.0.1:9 did not answer");
            }
        }
    }

    @Test
    void anInterruptEndsAJoin() throws Exception {
        try (Job job = Job.start(2, Job.FORMATION)) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread joining =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    JoinClient.join(job.settings(0), new Job.Loopback());
                                } catch (RuntimeException e) {
                                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                                    thrown.complete(e);
                                }
                            });
            Job.await(() -> job.seed.status().members() == 1);
            joining.interrupt();
            assertThat(thrown.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(InterruptedOperationException.class);
            Job.await(() -> job.seed.status().members() == 0);
        }
    }

    @Test
    void aJoinStringForNobodyFailsAtTheFormationDeadlineWithTheReason() {
        JoinSettings base;
        try (Job job = Job.start(1, Job.FORMATION)) {
            base = job.settings(0);
        }
        JoinTimeouts shortly = new JoinTimeouts(700_000_000L, 500_000_000L);
        assertThatThrownBy(() -> JoinClient.join(with(base, shortly), new Job.Loopback()))
                .isInstanceOf(RendezvousException.class)
                .hasMessageContaining("can't be reached")
                .hasMessageContaining("refused");
    }
}
