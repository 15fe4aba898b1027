package io.nexar.runtime;

import io.nexar.NexarConfig;
import io.nexar.rendezvous.JoinEnvironment;
import io.nexar.rendezvous.SeedServer;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Ranks of one JVM that met at a seed, each of which ends by itself; and the seed may end too. */
final class JoinedJob implements AutoCloseable {
    final List<JoinedProcess> ranks = new ArrayList<>();
    private final SeedServer seed;

    JoinedJob(int size, NexarConfig config) {
        seed = SeedServer.start(JoinedRanks.seedSettings(size, config, new SecureRandom()));
        List<CompletableFuture<JoinedProcess>> joining = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            JoinEnvironment place = new JoinEnvironment(seed.joinString(), rank, size);
            CompletableFuture<JoinedProcess> joined = new CompletableFuture<>();
            RankThreads.task(rank, () -> joined.complete(JoinedProcess.join(config, place)))
                    .start();
            joining.add(joined);
        }
        joining.forEach(joined -> ranks.add(joined.join()));
    }

    void killSeed() {
        seed.close();
    }

    @Override
    public void close() {
        CloseFailures failures = new CloseFailures();
        ranks.forEach(rank -> failures.collect(rank::close));
        seed.close();
        failures.throwFirst();
    }
}
