package io.nexar.transport.local;

import io.nexar.MemberId;
import io.nexar.transport.DialErrors;
import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One member's side of a {@link LocalHub}. It has no thread: a dial is done before {@code connect}
 * returns, and the accepting member's {@code onLink} runs in the dialling thread, so it must only
 * take note of the link. Thread-safe.
 */
final class LocalEndpoint implements Endpoint {
    private final LocalHub hub;
    private final EndpointSettings settings;
    private final Set<LocalLink> links = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    LocalEndpoint(LocalHub hub, EndpointSettings settings) {
        this.hub = hub;
        this.settings = settings;
    }

    MemberId self() {
        return settings.self();
    }

    void wakeUp() {
        settings.wakeUp().run();
    }

    @Override
    public PeerAddress address() {
        return new PeerAddress(LocalHub.NAME, List.of(candidate(self())));
    }

    @Override
    public CompletableFuture<Link> connect(MemberId peer, PeerAddress address, long timeoutNanos) {
        LocalEndpoint other = hub.find(peer);
        if (closed || other == null || other == this) {
            String reason = closed ? "this endpoint is closed" : "it is not on this hub";
            return refused(peer, other == this ? "that is this member itself" : reason);
        }
        if (!address.candidates().contains(candidate(peer))) {
            return refused(peer, "its address is " + candidate(peer) + ", not " + address);
        }
        if (!other.settings.isMember().test(self())) {
            return refused(peer, self() + " is no member there");
        }
        LocalPair pair = new LocalPair(this, other);
        adopt(pair.dialled());
        other.adopt(pair.accepted());
        other.settings.onLink().accept(pair.accepted());
        other.wakeUp();
        return CompletableFuture.completedFuture(pair.dialled());
    }

    private void adopt(LocalLink link) {
        links.add(link);
        if (closed) {
            link.close(closeReason());
        }
    }

    void forget(LocalLink link) {
        links.remove(link);
    }

    @Override
    public void close() {
        closed = true;
        hub.remove(this);
        links.forEach(link -> link.close(closeReason()));
    }

    private String closeReason() {
        return "the endpoint of " + self() + " was closed";
    }

    private CompletableFuture<Link> refused(MemberId peer, String reason) {
        return CompletableFuture.failedFuture(DialErrors.refused(peer, reason));
    }

    private static String candidate(MemberId member) {
        return "member-" + member.id();
    }
}
