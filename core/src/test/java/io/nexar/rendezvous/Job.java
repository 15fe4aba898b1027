package io.nexar.rendezvous;

import io.nexar.RendezvousException;
import io.nexar.security.JobAuthority;
import io.nexar.security.JoinString;
import io.nexar.security.Token;
import io.nexar.transport.PeerAddress;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * A real seed on loopback and workers in threads of this JVM, with a data plane that links at once.
 */
final class Job implements AutoCloseable {

    static final Duration FORMATION = Duration.ofSeconds(40);

    final Queue<SeedEvent> told = new ConcurrentLinkedQueue<>();
    final SeedServer seed;
    private final ExecutorService joining = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<Tether> tethers = new ConcurrentLinkedQueue<>();

    private Job(
            InetAddress bind,
            String name,
            int worldSize,
            Duration formation,
            AddressBook addresses) {
        SecureRandom random = new SecureRandom();
        seed =
                SeedServer.start(
                        new SeedSettings(
                                JobAuthority.create(name, Instant.now(), random),
                                Token.random(random),
                                worldSize,
                                new InetSocketAddress(bind, 0),
                                null,
                                null,
                                formation.toNanos(),
                                addresses,
                                InstantSource.system(),
                                System::nanoTime,
                                Job::thread,
                                told::add));
    }

    static Job start(int worldSize, Duration formation) {
        return start(InetAddress.getLoopbackAddress(), "job", worldSize, formation);
    }

    static Job start(InetAddress bind, String name, int worldSize, Duration formation) {
        return new Job(bind, name, worldSize, formation, AddressBook.DIRECT);
    }

    static Job start(int worldSize, AddressBook addresses) {
        return new Job(InetAddress.getLoopbackAddress(), "job", worldSize, FORMATION, addresses);
    }

    private static Thread thread(Runnable body) {
        Thread thread = new Thread(body, "meeting-test");
        thread.setDaemon(true);
        return thread;
    }

    JoinSettings settings(int rank) {
        return settings(seed.joinString(), rank);
    }

    static JoinSettings settings(JoinString joinString, int rank) {
        return new JoinSettings(
                joinString,
                rank,
                JoinMessage.ANY,
                Map.of("nexar.check", "basic"),
                new HostIdentity("host", 4711),
                null,
                new JoinTimeouts(TimeUnit.SECONDS.toNanos(200), TimeUnit.SECONDS.toNanos(120)),
                new Random(rank),
                System::nanoTime,
                Job::thread);
    }

    Future<Formation> join(int rank) {
        return join(settings(rank), new Loopback());
    }

    Future<Formation> join(JoinSettings settings, DataPlane dataPlane) {
        return joining.submit(() -> {
            Formation formation = JoinClient.join(settings, dataPlane);
            tethers.add(formation.tether());
            return formation;
        });
    }

    private static JoinSettings sized(JoinSettings base, int worldSize) {
        return new JoinSettings(
                base.seed(),
                base.rank(),
                worldSize,
                base.jobSettings(),
                base.host(),
                null,
                base.timeouts(),
                base.random(),
                base.nanoClock(),
                base.threads());
    }

    List<Formation> joinAll(int worldSize) throws Exception {
        List<Future<Formation>> joins = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            joins.add(join(sized(settings(rank), worldSize), new Loopback()));
        }
        List<Formation> formations = new ArrayList<>();
        for (Future<Formation> join : joins) {
            formations.add(join.get(200, TimeUnit.SECONDS));
        }
        return formations;
    }

    /** The same settings with one thing changed in the join string. */
    JoinSettings changed(int rank, UnaryOperator<JoinString> change) {
        return settings(change.apply(seed.joinString()), rank);
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        Object monitor = new Object();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within 30 s");
            }
            synchronized (monitor) {
                monitor.wait(5);
            }
        }
    }

    @Override
    public void close() {
        tethers.forEach(Tether::cut);
        seed.close();
        joining.shutdownNow();
    }

    /** Links to everybody at once, for the links are not what is tested here. */
    static final class Loopback implements DataPlane {
        @Override
        public List<PeerAddress> open(Admission admission) {
            String host = RouteAddress.text(admission.address());
            return List.of(new PeerAddress("test", List.of(host + ":" + admission.self().id())));
        }

        @Override
        public CompletableFuture<Void> link(Roster roster, int rank) {
            return CompletableFuture.completedFuture(null);
        }
    }

    /** How a join failed; one that did not is an error. */
    static RendezvousException failure(Future<Formation> join) throws Exception {
        try {
            Formation formation = join.get(45, TimeUnit.SECONDS);
            throw new AssertionError("it joined: " + formation);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RendezvousException refused) {
                return refused;
            }
            throw e;
        }
    }
}
