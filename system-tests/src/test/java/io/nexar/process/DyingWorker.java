package io.nexar.process;

import io.nexar.NexarConfig;
import io.nexar.rendezvous.Admission;
import io.nexar.rendezvous.DataPlane;
import io.nexar.rendezvous.HostIdentity;
import io.nexar.rendezvous.JoinClient;
import io.nexar.rendezvous.JoinMessage;
import io.nexar.rendezvous.JoinSettings;
import io.nexar.rendezvous.JoinTimeouts;
import io.nexar.rendezvous.Roster;
import io.nexar.security.JoinString;
import io.nexar.transport.PeerAddress;

import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A worker that joins as any other does and dies at one message of the join protocol, without a
 * word, as if it were killed there.
 */
final class DyingWorker implements DataPlane {
    /** Where it dies: what it has heard or said last. */
    enum Point {
        WELCOME,
        ROSTER,
        LINKED
    }

    private final Point point;

    private DyingWorker(Point point) {
        this.point = point;
    }

    public static void main(String[] arguments) {
        Say.sayWho();
        JoinSettings settings =
                new JoinSettings(
                        JoinString.parse(System.getenv("NEXAR_SEED")),
                        Integer.parseInt(System.getenv("NEXAR_RANK")),
                        JoinMessage.ANY,
                        NexarConfig.fromEnvironment().jobSettings(),
                        HostIdentity.ofThisProcess("a host without a boot id"),
                        null,
                        new JoinTimeouts(TimeUnit.MINUTES.toNanos(2), TimeUnit.MINUTES.toNanos(1)),
                        new SecureRandom(),
                        System::nanoTime,
                        Thread.ofPlatform().daemon().factory());
        JoinClient.join(settings, new DyingWorker(Point.valueOf(arguments[0])));
        die();
    }

    @Override
    public List<PeerAddress> open(Admission admission) {
        if (point == Point.WELCOME) {
            die();
        }
        return List.of(new PeerAddress("quic", List.of("127.0.0.1:9")));
    }

    @Override
    public CompletableFuture<Void> link(Roster roster, int self) {
        if (point == Point.ROSTER) {
            die();
        }
        // Says that all is linked, which the others can't; what it says goes out first.
        CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS).execute(DyingWorker::die);
        return CompletableFuture.completedFuture(null);
    }

    private static void die() {
        Say.say("dying", Say.micros());
        Runtime.getRuntime().halt(9);
    }
}
