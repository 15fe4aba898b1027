package io.nexar.runtime;

import io.nexar.ClosedException;
import io.nexar.Communicator;
import io.nexar.MemberId;
import io.nexar.Membership;
import io.nexar.NexarConfig;
import io.nexar.Scope;
import io.nexar.observe.RankReport;
import io.nexar.rendezvous.Formation;
import io.nexar.rendezvous.HostIdentity;
import io.nexar.rendezvous.JoinClient;
import io.nexar.rendezvous.JoinEnvironment;
import io.nexar.rendezvous.JoinSettings;
import io.nexar.rendezvous.JoinTimeouts;
import io.nexar.rendezvous.ReportCodec;
import io.nexar.rendezvous.Roster;
import io.nexar.rendezvous.TetherEvent;
import io.nexar.security.JoinString;
import io.nexar.spi.NexarRuntime;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A member of a job that met at a seed: its rank, its links, and its tether to the seed. */
public final class JoinedProcess implements NexarRuntime {
    private final NexarConfig config;
    private final LinkPlane plane;
    private final Formation formation;
    private final Rank rank;
    private final RosterMembership membership;
    private final Detection detection;
    private final ShutdownHook hook;
    private final AtomicBoolean closed = new AtomicBoolean();

    private JoinedProcess(NexarConfig config, LinkPlane plane, Formation formation) {
        this.config = config;
        this.plane = plane;
        this.formation = formation;
        Roster roster = formation.roster();
        this.membership =
                new RosterMembership(
                        roster.members().stream().map(Roster.Entry::member).toList(),
                        roster.epoch(),
                        RankThreads.callbacks());
        this.rank =
                new Rank(
                        RankSettings.of(
                                config,
                                Transports.inHost(config),
                                ranksOnHost(roster, formation.rank())),
                        formation.self(),
                        membership,
                        new Rank.Surroundings(hosts(roster), plane.sleeper()));
        rank.start(plane.handOver(rank));
        this.detection = Detection.start(config, formation, membership, rank, plane);
        this.hook = new ShutdownHook(this::onJvmEnd);
        formation.tether().listen(this::onTether);
    }

    /**
     * Joins, and blocks until the job has formed.
     *
     * @throws io.nexar.RendezvousException if it does not; what was opened is closed again
     */
    public static JoinedProcess join(NexarConfig config, JoinEnvironment place) {
        JoinString seed = place.seed();
        if (seed == null) {
            throw new IllegalArgumentException("there is no seed to join at");
        }
        Detection.settings(config);
        LinkPlane plane = new LinkPlane(config);
        try {
            return new JoinedProcess(
                    config, plane, JoinClient.join(settings(config, place, seed), plane));
        } catch (RuntimeException failure) {
            plane.close();
            throw failure;
        }
    }

    @Override
    public Communicator world() {
        return rank.world();
    }

    @Override
    public NexarConfig config() {
        return config;
    }

    @Override
    public Membership membership() {
        return membership;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        hook.closing();
        long deadline = System.nanoTime() + rank.settings().closeTimeout().toNanos();
        CloseFailures failures = new CloseFailures();
        failures.collect(() -> rank.part(deadline).throwIfBad());
        failures.collect(detection::part);
        failures.collect(() ->
                formation
                        .tether()
                        .leave(
                                "it closed in good order",
                                Math.max(1, deadline - System.nanoTime())));
        failures.collect(() -> rank.close("its process closed"));
        failures.collect(plane::close);
        hook.freed();
        failures.throwFirst();
    }

    @Override
    public void abort(String reason) {
        formation.tether().abort(reason);
        rank.abort(reason);
    }

    /** The JVM ends: the links say so with their last datagram, and the tether too. */
    private void onJvmEnd() {
        if (closed.compareAndSet(false, true)) {
            detection.stop();
            String reason = "its JVM shut down without close()";
            formation.tether().lost(formation.self(), reason);
            rank.abandon(reason);
            plane.close();
        }
    }

    LinkPlane plane() {
        return plane;
    }

    Detection detection() {
        return detection;
    }

    /** This rank's machinery, for a cluster that knows of its tasks' failures. */
    Rank rank() {
        return rank;
    }

    private void onTether(TetherEvent event) {
        detection.onTether(event);
        if (event instanceof TetherEvent.Aborted(var who, var reason)) {
            rank.fail(aborted((who < 0 ? "its owner" : "rank " + who) + " aborted it: " + reason));
        } else if (event instanceof TetherEvent.Asked(var query, var bytesMax)) {
            RankReport report = rank.reporter().report(detection::silentNanos);
            formation.tether().report(query, ReportCodec.encode(report, bytesMax));
        }
    }

    private static ClosedException aborted(String reason) {
        return new ClosedException(null, "the job", reason, Scope.PROCESS);
    }

    private static JoinSettings settings(
            NexarConfig config, JoinEnvironment place, JoinString seed) {
        return new JoinSettings(
                seed,
                place.rank(),
                place.worldSize(),
                config.jobSettings(),
                HostIdentity.ofThisProcess("a host without a boot id"),
                emptyToNull(config.get("nexar.interface")),
                new JoinTimeouts(
                        config.duration("nexar.timeout.formation").toNanos(),
                        config.duration("nexar.timeout.dial").toNanos()),
                new SecureRandom(),
                System::nanoTime,
                RankThreads.named("join"));
    }

    private static int ranksOnHost(Roster roster, int self) {
        String host = roster.entry(self).host();
        List<Roster.Entry> members = roster.members();
        return (int) members.stream().filter(entry -> entry.host().equals(host)).count();
    }

    private static Function<MemberId, String> hosts(Roster roster) {
        Map<MemberId, String> hosts =
                roster.members().stream()
                        .collect(Collectors.toMap(Roster.Entry::member, Roster.Entry::host));
        return member -> Objects.requireNonNull(hosts.get(member));
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
