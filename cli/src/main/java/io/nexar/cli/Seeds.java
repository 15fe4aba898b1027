package io.nexar.cli;

import io.nexar.NexarConfig;
import io.nexar.rendezvous.AddressBook;
import io.nexar.rendezvous.SeedEvent;
import io.nexar.rendezvous.SeedServer;
import io.nexar.rendezvous.SeedSettings;
import io.nexar.security.JobAuthority;
import io.nexar.security.Token;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.function.Consumer;

/** Makes seeds: each with a job name, an authority and a token of its own. */
final class Seeds {

    /** 64 bits: two jobs at one address have different names for all that chance can do. */
    private static final int JOB_BYTES = 8;

    private Seeds() {}

    /**
     * Where a seed is, and where it says that its members are.
     *
     * @param bind where to listen; port 0 takes a free one
     */
    record Place(InetSocketAddress bind, AddressBook addresses) {
        static Place at(InetSocketAddress bind) {
            return new Place(bind, AddressBook.DIRECT);
        }
    }

    /**
     * Starts a seed.
     *
     * @param listener hears what happens, in the seed's thread
     * @throws io.nexar.ConfigurationException if the address can't be bound
     */
    static SeedServer start(
            int worldSize, Place place, NexarConfig config, Consumer<SeedEvent> listener) {
        SecureRandom random = new SecureRandom();
        byte[] name = new byte[JOB_BYTES];
        random.nextBytes(name);
        InstantSource clock = InstantSource.system();
        return SeedServer.start(
                new SeedSettings(
                        JobAuthority.create(
                                "job-" + HexFormat.of().formatHex(name), clock.instant(), random),
                        Token.random(random),
                        worldSize,
                        place.bind(),
                        null,
                        null,
                        config.duration("nexar.timeout.formation").toNanos(),
                        place.addresses(),
                        clock,
                        System::nanoTime,
                        Thread.ofPlatform().name("nexar-seed").daemon().factory(),
                        listener));
    }
}
