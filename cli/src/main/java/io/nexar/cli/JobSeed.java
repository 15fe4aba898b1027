package io.nexar.cli;

import io.nexar.NexarConfig;
import io.nexar.cli.launch.JobOutput;
import io.nexar.rendezvous.AddressBook;
import io.nexar.rendezvous.SeedEvent;
import io.nexar.rendezvous.SeedPhase;
import io.nexar.rendezvous.SeedServer;
import io.nexar.security.JoinString;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The seed inside the launcher: the ranks of this host meet there. It listens on loopback only, and
 * hears from the launcher which rank's process is over, so that nobody waits for the dead.
 */
final class JobSeed implements AutoCloseable {

    private final SeedServer server;
    private final @Nullable ChaosNetwork chaos;
    private final AtomicBoolean isEnding;

    private JobSeed(SeedServer server, @Nullable ChaosNetwork chaos, AtomicBoolean isEnding) {
        this.server = server;
        this.chaos = chaos;
        this.isEnding = isEnding;
    }

    /** {@code chaos} is what stands between the ranks and the seed; it is closed with the seed. */
    static JobSeed start(
            int ranks, NexarConfig config, JobOutput output, @Nullable ChaosNetwork chaos) {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Seeds.Place place =
                new Seeds.Place(loopback, chaos == null ? AddressBook.DIRECT : chaos.addresses());
        AtomicBoolean isEnding = new AtomicBoolean();
        SeedServer server =
                Seeds.start(
                        ranks,
                        place,
                        config,
                        event -> {
                            if (!isEnding.get()) {
                                tell(event, output);
                            }
                        });
        return new JobSeed(server, chaos, isEnding);
    }

    /** What a rank joins with; a secret. */
    String joinString() {
        return (chaos == null ? server.joinString() : chaos.inFrontOf(server)).reveal();
    }

    /** What somebody looks at the job with: past any bad network between the ranks. */
    JoinString ownJoinString() {
        return server.joinString();
    }

    /**
     * A rank's process is over. A good exit before the job has formed means that the others would
     * wait in vain, also those that are still on their way here; later, the rank has said goodbye
     * itself. A bad one ends the job: from then on connections break for that reason alone.
     */
    void handleExit(int rank, int exitCode) {
        SeedPhase phase = server.status().phase();
        boolean forms = phase == SeedPhase.GATHERING || phase == SeedPhase.LINKING;
        if (exitCode != 0) {
            isEnding.set(true);
        }
        if (exitCode != 0 || forms) {
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
