package io.nexar.rendezvous;

import io.nexar.security.JoinString;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a worker joins with.
 *
 * @param rank the rank asked for, or {@link JoinMessage#ANY}
 * @param worldSize the size expected, or {@link JoinMessage#ANY}
 * @param jobSettings the options that must agree in the whole job; no secrets
 * @param networkInterface the name or address to listen on ({@code nexar.interface}); null: the
 *     route to the seed
 * @param random makes the pauses between dials differ from worker to worker
 * @param threads makes the connection's one thread
 */
public record JoinSettings(
        JoinString seed,
        int rank,
        int worldSize,
        Map<String, String> jobSettings,
        HostIdentity host,
        @Nullable String networkInterface,
        JoinTimeouts timeouts,
        RandomGenerator random,
        LongSupplier nanoClock,
        ThreadFactory threads) {
    public JoinSettings {
        jobSettings = Map.copyOf(jobSettings);
    }
}
