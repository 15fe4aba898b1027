package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.rendezvous.Admission;
import io.nexar.rendezvous.DataPlane;
import io.nexar.rendezvous.LinkFailure;
import io.nexar.rendezvous.Roster;
import io.nexar.transport.BackedLink;
import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.Sleeper;
import io.nexar.transport.quic.QuicTransport;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The links of one rank to all others, made while the job forms: of each two ranks the higher dials
 * the lower, so that no two dials cross. To each peer there is a QUIC link, and where both can a
 * fast one before it ({@link FastLinks}). Each is proven before the job begins. Beside them the
 * port where its neighbours' tethers end.
 */
final class LinkPlane implements DataPlane {
    private static final System.Logger LOG = System.getLogger("io.nexar");

    private final NexarConfig config;
    private final Map<MemberId, CompletableFuture<Link>> links = new ConcurrentHashMap<>();
    private final FastLinks fast;

    /** Counts what the QUIC endpoint has to tell: links behind fast ones are not polled for it. */
    private final AtomicInteger signals = new AtomicInteger();

    private volatile @Nullable Rank rank;
    private @Nullable Endpoint endpoint;
    private @Nullable NeighbourPort neighbours;

    LinkPlane(NexarConfig config) {
        this.config = config;
        this.fast = new FastLinks(config, Transports.fast(config), this::wakeUp);
    }

    @Override
    public List<PeerAddress> open(Admission admission) {
        Endpoint opened =
                new QuicTransport(
                                InstantSource.system(),
                                System::nanoTime,
                                refusal -> LOG.log(System.Logger.Level.WARNING, refusal))
                        .open(
                                new EndpointSettings(
                                        admission.self(),
                                        admission.identity(),
                                        admission.address(),
                                        config,
                                        member -> true,
                                        this::accept,
                                        this::handleSignal,
                                        RankThreads.named("quic-" + admission.self().id())));
        endpoint = opened;
        NeighbourPort port = NeighbourPort.open(admission, config);
        neighbours = port;
        List<PeerAddress> addresses = new ArrayList<>(List.of(opened.address(), port.address()));
        addresses.addAll(fast.open(admission));
        return addresses;
    }

    @Override
    public CompletableFuture<Void> link(Roster roster, int self) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int peer = 0; peer < roster.size(); peer++) {
            Roster.Entry entry = roster.entry(peer);
            if (peer < self) {
                int rankOfPeer = peer;
                all.add(dial(entry, peer).thenCompose(_ -> fast.dial(entry, rankOfPeer)));
            } else if (peer > self) {
                all.add(future(entry.member()));
            }
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
    }

    /** All links, once the job has formed; from here on arrivals wake this rank. */
    List<Link> handOver(Rank owner) {
        rank = owner;
        return bases().stream().map(this::backed).toList();
    }

    /** The links that know who lives. */
    List<Link> bases() {
        return links.values().stream().map(CompletableFuture::join).toList();
    }

    /**
     * How a thread that waits for these links sleeps, once the job has formed; null: parking is
     * right. Where there may be fast links it sleeps for them, and whatever QUIC brings wakes it.
     */
    @Nullable Sleeper sleeper() {
        Endpoint base = endpoint;
        return base == null || fast.isPossible() ? fast.sleeper() : base.sleeper();
    }

    /** The port for neighbours, once {@link #open} has returned. */
    NeighbourPort neighbours() {
        if (neighbours == null) {
            throw new IllegalStateException("not open yet");
        }
        return neighbours;
    }

    void close() {
        NeighbourPort port = neighbours;
        if (port != null) {
            port.close();
        }
        fast.close();
        Endpoint opened = endpoint;
        if (opened != null) {
            opened.close();
        }
    }

    private Link backed(Link base) {
        if (!fast.isPossible()) {
            return base;
        }
        BackedLink link =
                new BackedLink(
                        base,
                        signals::get,
                        System::nanoTime,
                        cause -> fast.noteBreak(base.peer(), cause));
        fast.standBefore(link);
        return link;
    }

    private void accept(Link link) {
        if (!future(link.peer()).complete(link)) {
            link.close("there is a link to " + link.peer() + " already");
        }
    }

    private CompletableFuture<Link> dial(Roster.Entry peer, int peerRank) {
        CompletableFuture<Link> result = future(peer.member());
        Endpoint opened = endpoint;
        PeerAddress address = peer.address(QuicTransport.NAME);
        if (opened == null || address == null) {
            result.completeExceptionally(
                    new LinkFailure(
                            peerRank,
                            "rank " + peerRank + " offers no quic address",
                            new IllegalStateException("no common transport")));
            return result;
        }
        opened.connect(peer.member(), address, config.duration("nexar.timeout.dial").toNanos())
                .whenComplete((link, failure) -> {
                    if (failure == null) {
                        result.complete(link);
                    } else {
                        result.completeExceptionally(
                                new LinkFailure(
                                        peerRank, String.valueOf(failure.getMessage()), failure));
                    }
                });
        return result;
    }

    private CompletableFuture<Link> future(MemberId member) {
        return links.computeIfAbsent(member, any -> new CompletableFuture<>());
    }

    /** The QUIC endpoint has queued something, or a link of it is down. */
    private void handleSignal() {
        signals.incrementAndGet();
        wakeUp();
    }

    private void wakeUp() {
        Rank owner = rank;
        if (owner != null) {
            owner.wakeUp();
        }
    }
}
