package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.NexarException;
import io.nexar.rendezvous.Admission;
import io.nexar.rendezvous.LinkFailure;
import io.nexar.rendezvous.Roster;
import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.Sleeper;
import io.nexar.transport.Transport;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fast links of one rank, which stand before its QUIC links: for each peer the first transport
 * of the list that both have and that works. Where {@code nexar.transport} asks for one, that one
 * must work; else QUIC carries what no fast link can, which is said once a transport.
 */
final class FastLinks {
    private static final System.Logger LOG = System.getLogger("io.nexar");

    /**
     * A fast link that is only wished for may take this part of {@code nexar.timeout.dial}: where
     * packets vanish, the job still forms in time.
     */
    private static final int WISH_PART = 3;

    private final NexarConfig config;
    private final boolean isForced;
    private final List<Transport> transports;
    private final Runnable wakeUp;
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final Map<MemberId, Link> links = new ConcurrentHashMap<>();
    private final Set<String> complained = ConcurrentHashMap.newKeySet();

    /**
     * @param transports those that the settings allow, the best first
     * @param wakeUp called when a fast link has something to poll
     */
    FastLinks(NexarConfig config, List<Transport> transports, Runnable wakeUp) {
        this.config = config;
        this.isForced = !config.get("nexar.transport").equals("auto");
        this.transports = transports;
        this.wakeUp = wakeUp;
    }

    /** Opens the endpoints, and says where they can be dialled. */
    List<PeerAddress> open(Admission admission) {
        for (Transport transport : transports) {
            try {
                endpoints.add(transport.open(settings(admission, transport.name())));
            } catch (NexarException impossible) {
                if (isForced) {
                    throw impossible;
                }
                complain(transport.name(), String.valueOf(impossible.getMessage()));
            }
        }
        return endpoints.stream().map(Endpoint::address).toList();
    }

    /**
     * Dials a peer that has a QUIC link by now. Completes without a result, whether there is a fast
     * link then or not; where one is asked for, its lack is a {@link LinkFailure}.
     */
    CompletableFuture<Void> dial(Roster roster, int self, int peer) {
        boolean isOnHost = roster.entry(peer).host().equals(roster.entry(self).host());
        List<Endpoint> usable =
                endpoints.stream()
                        .filter(endpoint -> isOnHost || !Transports.isForOneHost(name(endpoint)))
                        .toList();
        if (usable.isEmpty() && isForced && !transports.isEmpty()) {
            return CompletableFuture.failedFuture(
                    failure(
                            peer,
                            "it is on another host, which "
                                    + transports.getFirst().name()
                                    + " does not reach",
                            null));
        }
        return dialNext(roster.entry(peer), peer, usable.iterator());
    }

    private CompletableFuture<Void> dialNext(
            Roster.Entry peer, int peerRank, Iterator<Endpoint> rest) {
        if (!rest.hasNext()) {
            return CompletableFuture.completedFuture(null);
        }
        Endpoint endpoint = rest.next();
        PeerAddress address = peer.address(name(endpoint));
        if (address == null) {
            return isForced
                    ? CompletableFuture.failedFuture(
                            failure(peerRank, "it offers no " + name(endpoint) + " address", null))
                    : dialNext(peer, peerRank, rest);
        }
        long timeoutNanos = config.duration("nexar.timeout.dial").toNanos();
        return endpoint.connect(
                        peer.member(), address, isForced ? timeoutNanos : timeoutNanos / WISH_PART)
                .handle((link, failure) -> {
                    if (failure == null) {
                        add(link);
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    String reason = String.valueOf(unwrapped(failure).getMessage());
                    if (isForced) {
                        throw failure(peerRank, reason, failure);
                    }
                    complain(name(endpoint), "rank " + peerRank + ": " + reason);
                    return dialNext(peer, peerRank, rest);
                })
                .thenCompose(next -> next);
    }

    /** The fast link to that member; null if there is none. */
    @Nullable Link to(MemberId member) {
        Link link = links.get(member);
        return link == null || link.isClosed() ? null : link;
    }

    /** Whether there is any fast link. */
    boolean isUsed() {
        return !links.isEmpty();
    }

    /** How a thread that waits for these links sleeps; null: parking is right. */
    @Nullable Sleeper sleeper() {
        return endpoints.stream()
                .map(Endpoint::sleeper)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    void close() {
        endpoints.forEach(Endpoint::close);
    }

    private EndpointSettings settings(Admission admission, String transport) {
        return new EndpointSettings(
                admission.self(),
                admission.identity(),
                admission.address(),
                config,
                member -> true,
                this::add,
                wakeUp,
                RankThreads.named(transport + "-" + admission.self().id()));
    }

    /** One side dials, and one transport after the other: the later link is the one it means. */
    private void add(Link link) {
        Link before = links.put(link.peer(), link);
        if (before != null) {
            before.close("another link took its place");
        }
    }

    private void complain(String transport, String problem) {
        if (complained.add(transport)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "no {0} link ({1}); the next best transport carries everything there",
                    transport,
                    problem);
        }
    }

    private static String name(Endpoint endpoint) {
        return endpoint.address().transport();
    }

    private static LinkFailure failure(int peer, String reason, @Nullable Throwable cause) {
        return new LinkFailure(
                peer, reason, cause == null ? new IllegalStateException(reason) : cause);
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }
}
