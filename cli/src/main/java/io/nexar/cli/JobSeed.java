package io.nexar.cli;

import io.nexar.NexarConfig;
import io.nexar.cli.launch.JobOutput;
import io.nexar.rendezvous.AddressBook;
import io.nexar.rendezvous.SeedEvent;
import io.nexar.rendezvous.SeedPhase;
import io.nexar.rendezvous.SeedServer;
import io.nexar.rendezvous.SeedStatus;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The seed inside the launcher: the ranks of this host meet there. It listens on loopback only, and
 * hears from the launcher which rank's process is over, so that nobody waits for the dead.
 */
final class JobSeed implements AutoCloseable {

    private final SeedServer server;
    private final @Nullable ChaosNetwork chaos;

    private JobSeed(SeedServer server, @Nullable ChaosNetwork chaos) {
        this.server = server;
        this.chaos = chaos;
    }

    /** {@code chaos} is what stands between the ranks and the seed; it is closed with the seed. */
    static JobSeed start(
            int ranks, NexarConfig config, JobOutput output, @Nullable ChaosNetwork chaos) {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Seeds.Place place =
                new Seeds.Place(loopback, chaos == null ? AddressBook.DIRECT : chaos.addresses());
        return new JobSeed(Seeds.start(ranks, place, config, event -> tell(event, output)), chaos);
    }

    /** What a rank joins with; a secret. */
    String joinString() {
        return (chaos == null ? server.joinString() : chaos.inFrontOf(server)).reveal();
    }

    /**
     * A rank's process is over. A good exit while others still gather means that they would wait in
     * vain; later, the rank has said goodbye itself. With no member at all the command is none of
     * ours.
     */
    void handleExit(int rank, int exitCode) {
        SeedStatus status = server.status();
        boolean forms =
                status.phase() == SeedPhase.GATHERING || status.phase() == SeedPhase.LINKING;
        if (status.members() > 0 && (exitCode != 0 || forms)) {
            server.reportExit(rank, "its process exited with code " + exitCode);
        }
    }

    /** The ranks tell the rest themselves: what they can't know is who was turned away. */
    private static void tell(SeedEvent event, JobOutput output) {
        if (event instanceof SeedEvent.Refused(String remote, String reason)) {
            output.say("the seed refused " + remote + ": " + reason);
        }
    }

    @Override
    public void close() {
        server.close();
        if (chaos != null) {
            chaos.close();
        }
    }
}
