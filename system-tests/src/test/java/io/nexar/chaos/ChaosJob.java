package io.nexar.chaos;

import io.nexar.Communicator;
import io.nexar.MemberId;
import io.nexar.Nexar;
import io.nexar.NexarConfig;
import io.nexar.RankTask;
import io.nexar.cli.chaos.Conditions;
import io.nexar.cli.chaos.Relay;
import io.nexar.cli.chaos.RelayCounters;
import io.nexar.cli.chaos.RelaySettings;
import io.nexar.rendezvous.SeedServer;
import io.nexar.rendezvous.SeedSettings;
import io.nexar.security.JobAuthority;
import io.nexar.security.JoinString;
import io.nexar.security.Token;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A job in this JVM whose ranks, each with sockets of its own as a process would have, reach each
 * other and the seed only through a relay. The conditions can be changed while it runs.
 */
final class ChaosJob implements AutoCloseable {

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Map<MemberId, Conditions> exceptions = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(daemons("rank"));
    private final Relay relay;
    private final SeedServer seed;
    private volatile Conditions usual;
    private List<Nexar> ranks = List.of();

    private ChaosJob(int size, long randomSeed, Conditions usual) {
        this.usual = usual;
        this.relay =
                Relay.start(
                        new RelaySettings(
                                randomSeed,
                                (place, _) -> exceptions.getOrDefault(place, this.usual),
                                System::nanoTime,
                                daemons("relay"),
                                failures::add));
        this.seed = SeedServer.start(seedSettings(size));
    }

    /** Returns when the job, over QUIC, has formed. */
    static ChaosJob start(int size, long randomSeed, Conditions usual, NexarConfig config)
            throws Exception {
        return startOver("quic", size, randomSeed, usual, config);
    }

    /** The same over any transport of sockets. */
    static ChaosJob startOver(
            String transport, int size, long randomSeed, Conditions usual, NexarConfig config)
            throws Exception {
        ChaosJob job = new ChaosJob(size, randomSeed, usual);
        try {
            JoinString direct = job.seed.joinString();
            JoinString relayed =
                    new JoinString(
                            direct.host(),
                            job.relay.inFrontOfSeed(job.seed.address()).getPort(),
                            direct.job(),
                            direct.pin(),
                            direct.token());
            job.join(
                    size,
                    config.with("nexar.seed", relayed.reveal()).with("nexar.transport", transport));
            return job;
        } catch (Exception | AssertionError failure) {
            job.close();
            throw failure;
        }
    }

    private void join(int size, NexarConfig config) throws Exception {
        List<Future<Nexar>> joins = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            NexarConfig own =
                    config.with("nexar.rank", "" + rank).with("nexar.worldSize", "" + size);
            joins.add(threads.submit(() -> Nexar.join(own)));
        }
        List<Nexar> joined = new ArrayList<>();
        for (Future<Nexar> join : joins) {
            joined.add(join.get(60, TimeUnit.SECONDS));
        }
        ranks = joined;
    }

    private SeedSettings seedSettings(int size) {
        SecureRandom random = new SecureRandom();
        InstantSource clock = InstantSource.system();
        return new SeedSettings(
                JobAuthority.create("chaos", clock.instant(), random),
                Token.random(random),
                size,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                null,
                null,
                Duration.ofMinutes(1).toNanos(),
                relay,
                clock,
                System::nanoTime,
                daemons("seed"),
                _ -> {});
    }

    private static ThreadFactory daemons(String name) {
        return Thread.ofPlatform().name("chaos-" + name, 0).daemon().factory();
    }

    /** From now on, everywhere. */
    void set(Conditions everywhere) {
        exceptions.clear();
        usual = everywhere;
    }

    /**
     * From now on, between this rank and those who dialled it: as ranks dial those below them, that
     * is all of them for rank 0.
     */
    void set(int rank, Conditions there) {
        exceptions.put(world(rank).member(rank), there);
    }

    RelayCounters counters() {
        return relay.counters();
    }

    /** All TCP links of this rank with those who dialled it. */
    void resetLinks(int rank) {
        MemberId member = world(rank).member(rank);
        relay.resetConnections(dialled -> dialled.equals(new Relay.Dialled(member, "tcp")));
    }

    Communicator world(int rank) {
        return ranks.get(rank).world();
    }

    /** Runs the task on every rank at once; fails with the first failure, of whichever rank. */
    void run(Duration deadline, RankTask task) throws Exception {
        for (Outcome outcome : tryRun(deadline, task)) {
            if (outcome.failure() != null) {
                throw new AssertionError(
                        "rank " + outcome.rank() + " after " + outcome.after(), outcome.failure());
            }
        }
    }

    /** Like {@link #run}, beside what the test does meanwhile. */
    CompletableFuture<Void> start(Duration deadline, RankTask task) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        run(deadline, task);
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                threads);
    }

    /** What became of the task on one rank. */
    record Outcome(int rank, Duration after, @Nullable Throwable failure) {}

    /** Runs the task on every rank at once, and tells what became of each. */
    List<Outcome> tryRun(Duration deadline, RankTask task) throws Exception {
        long start = System.nanoTime();
        List<Future<Outcome>> running = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            int number = rank;
            Callable<Outcome> whole = () -> outcome(number, start, task);
            running.add(threads.submit(whole));
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            outcomes.add(await(running.get(rank), rank, start + deadline.toNanos()));
        }
        return outcomes;
    }

    private Outcome outcome(int rank, long start, RankTask task) {
        Throwable failure = null;
        try {
            task.run(world(rank));
        } catch (Exception | AssertionError e) {
            failure = e;
        }
        return new Outcome(rank, Duration.ofNanos(System.nanoTime() - start), failure);
    }

    private Outcome await(Future<Outcome> running, int rank, long deadlineNanos) throws Exception {
        try {
            return running.get(
                    Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("rank " + rank + " hangs; " + counters(), e);
        } catch (ExecutionException e) {
            throw new AssertionError("rank " + rank, e.getCause());
        }
    }

    @Override
    public void close() throws Exception {
        closeRanks();
        seed.close();
        relay.close();
        threads.shutdownNow();
    }

    /** All ranks at once, as a job ends; a close that fails is one of the failures. */
    void closeRanks() throws Exception {
        List<Future<?>> closing = new ArrayList<>();
        for (Nexar rank : ranks) {
            closing.add(threads.submit(rank::close));
        }
        for (Future<?> each : closing) {
            try {
                each.get(30, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                failures.add("close: " + e.getCause());
            }
        }
        ranks = List.of();
    }

    /** What went wrong outside the ranks' calls. */
    Queue<String> failures() {
        return failures;
    }
}
