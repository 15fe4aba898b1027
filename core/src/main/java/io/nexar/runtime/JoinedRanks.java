package io.nexar.runtime;

import io.nexar.Communicator;
import io.nexar.InterruptedOperationException;
import io.nexar.NexarConfig;
import io.nexar.rendezvous.AddressBook;
import io.nexar.rendezvous.JoinEnvironment;
import io.nexar.rendezvous.SeedServer;
import io.nexar.rendezvous.SeedSettings;
import io.nexar.security.JobAuthority;
import io.nexar.security.JoinString;
import io.nexar.security.Token;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A cluster whose ranks share this process, and nothing else: they meet at a seed of their own and
 * are linked by sockets, as ranks of different hosts are.
 */
final class JoinedRanks implements RankGroup {
    private final SeedServer seed;
    private final List<JoinedProcess> ranks;

    JoinedRanks(int size, NexarConfig config) {
        SecureRandom random = new SecureRandom();
        this.seed = SeedServer.start(seedSettings(size, config, random));
        try {
            this.ranks = joinAll(size, config, seed.joinString());
        } catch (RuntimeException failure) {
            seed.close();
            throw failure;
        }
    }

    List<JoinedProcess> processes() {
        return ranks;
    }

    /** The job goes on without it. */
    void closeSeed() {
        seed.close();
    }

    @Override
    public List<Communicator> communicators() {
        return ranks.stream().map(JoinedProcess::world).toList();
    }

    @Override
    public void taskFailed(int rank, Throwable failure) {
        JoinedProcess failed = ranks.get(rank);
        List<Rank> others =
                ranks.stream()
                        .filter(process -> process != failed)
                        .map(JoinedProcess::rank)
                        .toList();
        Rank.taskFailed(others, failed.rank(), failure);
    }

    @Override
    public void close() {
        CloseFailures failures = new CloseFailures();
        ranks.forEach(rank -> failures.collect(rank::close));
        seed.close();
        failures.throwFirst();
    }

    static SeedSettings seedSettings(int size, NexarConfig config, SecureRandom random) {
        return new SeedSettings(
                JobAuthority.create(
                        "cluster-" + Long.toHexString(random.nextLong()),
                        InstantSource.system().instant(),
                        random),
                Token.random(random),
                size,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                null,
                null,
                config.duration("nexar.timeout.formation").toNanos(),
                AddressBook.DIRECT,
                InstantSource.system(),
                System::nanoTime,
                RankThreads.named("seed"),
                event -> {});
    }

    /** Each joins in a thread of its own: none has joined before all have. */
    private static List<JoinedProcess> joinAll(int size, NexarConfig config, JoinString seed) {
        List<FutureTask<JoinedProcess>> joins = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            JoinEnvironment place = new JoinEnvironment(seed, i, size);
            FutureTask<JoinedProcess> join =
                    new FutureTask<>(() -> JoinedProcess.join(config, place));
            joins.add(join);
            RankThreads.task(i, join).start();
        }
        List<JoinedProcess> joined = new ArrayList<>();
        CloseFailures failures = new CloseFailures();
        for (FutureTask<JoinedProcess> join : joins) {
            try {
                joined.add(join.get());
            } catch (ExecutionException failure) {
                failures.add(asUnchecked(failure));
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                failures.add(new InterruptedOperationException(null, interrupt));
            }
        }
        if (!failures.isEmpty()) {
            joined.forEach(rank -> failures.collect(rank::close));
        }
        failures.throwFirst();
        return joined;
    }

    private static RuntimeException asUnchecked(ExecutionException failure) {
        return failure.getCause() instanceof RuntimeException cause
                ? cause
                : new IllegalStateException(failure.getCause());
    }
}
