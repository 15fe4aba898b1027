package io.nexar.transport.tcp;

import io.nexar.MemberId;
import io.nexar.security.NodeIdentity;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * The dialled side. TLS checks that the peer is of this job, this class that it is a member and
 * wants the same protection; the answer says so. Once the dialler says that it has it, the link is
 * handed over: one whose answer is lost is none on either side. Whoever is slow, or one too many on
 * the way, is dropped. The endpoint's thread.
 */
final class AcceptedGreeting extends Greeting {
    private final SelectorThread.Timer deadline;
    private @Nullable MemberId peer;
    private boolean hasAnswered;

    AcceptedGreeting(TcpEndpoint endpoint, SocketChannel channel, InetSocketAddress remote) {
        super(endpoint, channel, remote, endpoint.engines().accept());
        long nanosMax = endpoint.limits().handshakeNanosMax();
        deadline =
                endpoint.thread()
                        .schedule(
                                nanosMax,
                                () -> fail("no link within " + nanosMax / 1_000_000 + " ms"));
    }

    void start() throws IOException {
        register(SelectionKey.OP_READ);
    }

    @Override
    void onSecured() throws IOException {
        peer = new MemberId(NodeIdentity.of(certificate()).memberId());
    }

    @Override
    void onHello(Hello hello) throws IOException {
        MemberId member = java.util.Objects.requireNonNull(peer, "secured");
        Protection own = endpoint().protection();
        if (!endpoint().settings().isMember().test(member)) {
            refuse(member + " is no member for " + endpoint().settings().self());
        } else if (hello.code() != own.helloCode()) {
            refuse(
                    "it wants protection %d, this side %d (%s)"
                            .formatted(hello.code(), own.helloCode(), own.transport()));
        } else if (!hasAnswered) {
            hasAnswered = true;
            say(Hello.encodeFilled(own.helloCode()));
        } else {
            settle();
            endpoint()
                    .handOver(
                            becomeLink(
                                    new TcpLink.Peers(
                                            endpoint().settings().self(),
                                            member,
                                            address(),
                                            own.transport())));
        }
    }

    private void refuse(String reason) throws IOException {
        say(Hello.encode(Hello.REFUSED, reason));
        fail(reason);
    }

    private void settle() {
        deadline.cancel();
        endpoint().settled(this);
    }

    @Override
    void onRefused(String reason) {
        settle();
        endpoint().tellRefused(address(), reason);
    }
}
