package io.nexar.rendezvous;

import io.nexar.security.JobAuthority;
import io.nexar.security.Token;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What a seed runs with.
 *
 * @param bind where to listen; port 0 takes a free one
 * @param advertisedHost what the join string says; null: the bound address, or for a wildcard the
 *     first address of this host that others may reach
 * @param jobSettings the options that must agree; null takes them from the first worker
 * @param formationNanos from now until the job must have formed
 * @param addresses where members are told to dial each other
 * @param clock for the validity of certificates
 * @param threads makes the seed's one thread
 * @param listener hears what happens, in that thread
 */
public record SeedSettings(
        JobAuthority authority,
        Token token,
        int worldSize,
        InetSocketAddress bind,
        @Nullable String advertisedHost,
        @Nullable Map<String, String> jobSettings,
        long formationNanos,
        AddressBook addresses,
        InstantSource clock,
        LongSupplier nanoClock,
        ThreadFactory threads,
        Consumer<SeedEvent> listener) {}
