package io.nexar.cli;

import io.nexar.NexarConfig;
import io.nexar.cli.launch.JobOutput;
import io.nexar.rendezvous.SeedEvent;
import io.nexar.rendezvous.SeedPhase;
import io.nexar.rendezvous.SeedServer;
import io.nexar.rendezvous.SeedStatus;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The seed inside the launcher: the ranks of this host meet there. It listens on loopback only, and
 * hears from the launcher which rank's process is over, so that nobody waits for the dead.
 */
final class JobSeed implements AutoCloseable {

    private final SeedServer server;

    private JobSeed(SeedServer server) {
        this.server = server;
    }

    static JobSeed start(int ranks, NexarConfig config, JobOutput output) {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new JobSeed(Seeds.start(ranks, loopback, config, event -> tell(event, output)));
    }

    /** What a rank joins with; a secret. */
    String joinString() {
        return server.joinString().reveal();
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
    }
}
