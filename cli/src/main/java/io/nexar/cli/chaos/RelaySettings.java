package io.nexar.cli.chaos;

import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What a relay runs with.
 *
 * @param randomSeed the same loses the same datagrams of each path
 * @param threads makes the relay's one thread
 * @param onFailure hears why the relay ended by itself, in its thread
 */
public record RelaySettings(
        long randomSeed,
        Weather weather,
        LongSupplier nanoClock,
        ThreadFactory threads,
        Consumer<String> onFailure) {}
