package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.rendezvous.Admission;
import io.nexar.rendezvous.DataPlane;
import io.nexar.rendezvous.LinkFailure;
import io.nexar.rendezvous.Roster;
import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.quic.QuicTransport;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The links of one rank to all others, made while the job forms: of each two ranks the higher dials
 * the lower, so that no two dials cross. Each is proven before the job begins. Beside them the port
 * where its neighbours' tethers end.
 */
final class QuicPlane implements DataPlane {
    private static final System.Logger LOG = System.getLogger("io.nexar");

    private final NexarConfig config;
    private final Map<MemberId, CompletableFuture<Link>> links = new ConcurrentHashMap<>();
    private volatile @Nullable Rank rank;
    private @Nullable Endpoint endpoint;
    private @Nullable NeighbourPort neighbours;

    QuicPlane(NexarConfig config) {
        this.config = config;
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
                                        this::wakeUp,
                                        RankThreads.named("quic-" + admission.self().id())));
        endpoint = opened;
        NeighbourPort port = NeighbourPort.open(admission, config);
        neighbours = port;
        return List.of(opened.address(), port.address());
    }

    @Override
    public CompletableFuture<Void> link(Roster roster, int self) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int peer = 0; peer < roster.size(); peer++) {
            if (peer != self) {
                all.add(peer < self ? dial(roster.entry(peer), peer) : expected(roster, peer));
            }
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
    }

    /** All links, once {@link #link} has completed; from here on arrivals wake this rank. */
    List<Link> handOver(Rank owner) {
        rank = owner;
        return links();
    }

    /** All links, once {@link #link} has completed. */
    List<Link> links() {
        return links.values().stream().map(CompletableFuture::join).toList();
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
        Endpoint opened = endpoint;
        if (opened != null) {
            opened.close();
        }
    }

    private void accept(Link link) {
        if (!future(link.peer()).complete(link)) {
            link.close("there is a link to " + link.peer() + " already");
        }
    }

    private CompletableFuture<Link> expected(Roster roster, int peer) {
        return future(roster.entry(peer).member());
    }

    private CompletableFuture<Link> dial(Roster.Entry peer, int peerRank) {
        CompletableFuture<Link> result = future(peer.member());
        Endpoint opened = endpoint;
        PeerAddress address = peer.address("quic");
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

    private void wakeUp() {
        Rank owner = rank;
        if (owner != null) {
            owner.wakeUp();
        }
    }
}
