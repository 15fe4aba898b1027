package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.NexarException;
import io.nexar.transport.DialErrors;
import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.Transport;
import io.nexar.transport.local.LocalMembers;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A transport that does what a test wants, and notes whom it was to dial. */
final class FakeTransport implements Transport {
    private final String name;
    private final @Nullable NexarException noEndpoint;
    private final @Nullable String noLink;
    private final List<MemberId> dialled = new ArrayList<>();

    private FakeTransport(
            String name, @Nullable NexarException noEndpoint, @Nullable String noLink) {
        this.name = name;
        this.noEndpoint = noEndpoint;
        this.noLink = noLink;
    }

    static FakeTransport working(String name) {
        return new FakeTransport(name, null, null);
    }

    static FakeTransport notOpening(String name, NexarException reason) {
        return new FakeTransport(name, reason, null);
    }

    static FakeTransport notReaching(String name, String reason) {
        return new FakeTransport(name, null, reason);
    }

    List<MemberId> dialled() {
        return dialled;
    }

    /** In the spelling of shared memory, which tells hosts apart; the others don't mind. */
    PeerAddress addressOn(int host) {
        String candidate = "00000000-0000-0000-0000-%012d+1+0/2/3/%032d".formatted(host, 4);
        return new PeerAddress(name, List.of(candidate));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Endpoint open(EndpointSettings settings) {
        if (noEndpoint != null) {
            throw noEndpoint;
        }
        return new FakeEndpoint(settings.self());
    }

    private final class FakeEndpoint implements Endpoint {
        private final MemberId self;

        FakeEndpoint(MemberId self) {
            this.self = self;
        }

        @Override
        public PeerAddress address() {
            return addressOn(0);
        }

        @Override
        public CompletableFuture<Link> connect(
                MemberId peer, PeerAddress address, long timeoutNanos) {
            dialled.add(peer);
            if (noLink != null) {
                return CompletableFuture.failedFuture(DialErrors.refused(peer, noLink));
            }
            try {
                return CompletableFuture.completedFuture(
                        LocalMembers.pair(self, () -> {}, peer, () -> {}).left());
            } catch (Exception impossible) {
                throw new AssertionError(impossible);
            }
        }

        @Override
        public void close() {}
    }
}
