package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.NexarException;
import io.nexar.rendezvous.Admission;
import io.nexar.rendezvous.LinkFailure;
import io.nexar.rendezvous.Roster;
import io.nexar.transport.BackedLink;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The fast links of one rank, which stand before its QUIC links: for each peer the first transport
 * of the list that both have and that works. Where {@code nexar.transport} asks for one, that one
 * must work; else QUIC carries what no fast link can, which is said once a transport. QUIC carries
 * on for a fast link that breaks later, too.
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
    private final Map<MemberId, BackedLink> backed = new ConcurrentHashMap<>();
    private final Set<String> complained = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean hasToldOfBreak = new AtomicBoolean();

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
            } catch (NexarException | UnsupportedOperationException impossible) {
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
    CompletableFuture<Void> dial(Roster.Entry peer, int peerRank) {
        return dialNext(peer, peerRank, endpoints.iterator());
    }

    private CompletableFuture<Void> dialNext(
            Roster.Entry peer, int peerRank, Iterator<Endpoint> rest) {
        if (!rest.hasNext()) {
            return CompletableFuture.completedFuture(null);
        }
        Endpoint endpoint = rest.next();
        PeerAddress address = peer.address(name(endpoint));
        if (address == null || !Transports.mayReach(endpoint.address(), address)) {
            return isForced
                    ? CompletableFuture.failedFuture(outOfReach(peerRank, name(endpoint)))
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
                        throw new LinkFailure(
                                peerRank, "no " + name(endpoint) + " link: " + reason, failure);
                    }
                    complain(name(endpoint), "rank " + peerRank + ": " + reason);
                    return dialNext(peer, peerRank, rest);
                })
                .thenCompose(next -> next);
    }

    /** Whether a fast link may come. */
    boolean isPossible() {
        return !endpoints.isEmpty();
    }

    /** Puts the fast link to the same member before this one, be it here or still to come. */
    void standBefore(BackedLink link) {
        backed.put(link.peer(), link);
        Link known = links.get(link.peer());
        if (known != null) {
            link.offer(known);
        }
    }

    /** How a thread that waits for these links sleeps; null: parking is right. */
    @Nullable Sleeper sleeper() {
        List<Sleeper> sleepers = new ArrayList<>();
        for (Endpoint endpoint : endpoints) {
            Sleeper sleeper = endpoint.sleeper();
            if (sleeper != null) {
                sleepers.add(sleeper);
            }
        }
        return sleepers.size() < 2
                ? (sleepers.isEmpty() ? null : sleepers.getFirst())
                : new JointSleeper(sleepers);
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

    /**
     * One side dials, and one transport after the other: the later link is the one it means. The
     * side that is dialled may hear of it after the job has formed.
     */
    private void add(Link link) {
        links.put(link.peer(), link);
        BackedLink before = backed.get(link.peer());
        if (before != null) {
            before.offer(link);
            wakeUp.run();
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

    /**
     * The fast link to that member has broken, and QUIC carries on: worth one warning a process.
     */
    void noteBreak(MemberId peer, String cause) {
        links.remove(peer);
        LOG.log(
                hasToldOfBreak.getAndSet(true)
                        ? System.Logger.Level.DEBUG
                        : System.Logger.Level.WARNING,
                "{0}; quic carries everything there from now on",
                cause);
    }

    /** The fast link to that member, if there is one by now. */
    @Nullable Link to(MemberId member) {
        return links.get(member);
    }

    private static String name(Endpoint endpoint) {
        return endpoint.address().transport();
    }

    private static LinkFailure outOfReach(int peer, String transport) {
        String reason = "%s does not reach from here to there".formatted(transport);
        return new LinkFailure(peer, reason, new IllegalStateException(reason));
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }
}
