package io.nexar.cli;

import io.nexar.cli.chaos.ChaosSchedule;
import io.nexar.cli.chaos.Relay;
import io.nexar.cli.chaos.RelaySettings;
import io.nexar.cli.launch.JobOutput;
import io.nexar.rendezvous.AddressBook;
import io.nexar.rendezvous.SeedServer;
import io.nexar.security.JoinString;

/**
 * {@code --chaos SEED}: the ranks of the job reach each other and the seed only through a bad
 * network. Says what was drawn at the start, and what came of it at the end.
 */
final class ChaosNetwork implements AutoCloseable {

    private final Relay relay;
    private final JobOutput output;

    private ChaosNetwork(Relay relay, JobOutput output) {
        this.relay = relay;
        this.output = output;
    }

    static ChaosNetwork start(long randomSeed, int ranks, JobOutput output) {
        ChaosSchedule schedule = ChaosSchedule.draw(randomSeed, ranks);
        schedule.lines().forEach(line -> output.say("chaos " + randomSeed + ": " + line));
        return new ChaosNetwork(
                Relay.start(
                        new RelaySettings(
                                randomSeed,
                                schedule,
                                System::nanoTime,
                                Thread.ofPlatform().name("nexar-chaos").daemon().factory(),
                                output::say)),
                output);
    }

    AddressBook addresses() {
        return relay;
    }

    /** What ranks join with: the relay's port in front of the seed, the rest as it is. */
    JoinString inFrontOf(SeedServer seed) {
        JoinString direct = seed.joinString();
        return new JoinString(
                direct.host(),
                relay.inFrontOfSeed(seed.address()).getPort(),
                direct.job(),
                direct.pin(),
                direct.token());
    }

    @Override
    public void close() {
        output.say("chaos: " + relay.counters());
        relay.close();
    }
}
