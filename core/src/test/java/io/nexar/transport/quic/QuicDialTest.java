package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.nexar.DeadlineException;
import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.RendezvousException;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.net.SocketAddresses;
import io.nexar.transport.net.SocketLoop;
import io.nexar.transport.net.TrustWitness;
import io.nexar.transport.quic.QuicMembers.Job;
import io.nexar.transport.quic.QuicMembers.Member;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

@ExtendWith(LeakCheck.class)
class QuicDialTest {
    private static final long TWO_SECONDS = TimeUnit.SECONDS.toNanos(2);
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private final Job job = new Job("dial");
    private final Member dialler = new Member(QuicMembers.settings(1, job.identity(1), () -> {}));

    @AfterEach
    void close() {
        dialler.close();
    }

    @Test
    void aBlackHoleFailsTheDialAtItsDeadline() throws Exception {
        // Pitfall 41: the caller's timeout reaches the first packet.
        try (DatagramSocket hole = new DatagramSocket(0, LOOPBACK)) {
            String address = "127.0.0.1:" + hole.getLocalPort();
            long start = System.nanoTime();
            assertThatThrownBy(() -> dial(address).get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(DeadlineException.class)
                    .hasMessageContaining("member 7")
                    .hasMessageContaining(address + ": no answer")
                    .hasMessageContaining("2 s");
            // Half a second above the deadline is promised; the rest is for busy test machines.
            assertThat(System.nanoTime() - start)
                    .isBetween(TWO_SECONDS, TWO_SECONDS + TimeUnit.SECONDS.toNanos(3));
        }
    }

    @Test
    void anAcceptorThatGoesSilentAfterTheHandshakeFailsTheDialAtItsDeadline() throws Exception {
        // Pitfall 40: connected, and then nothing.
        SocketLoop loop = new SocketLoop(task -> new Thread(task, "silent-acceptor"));
        var identity = job.identity(7);
        var settings = QuicMembers.settings(7, identity, () -> {});
        QuicCodecs codecs =
                new QuicCodecs(
                        settings,
                        new TrustWitness(
                                new io.nexar.security.NodeTrust(
                                        "dial",
                                        identity.authority(),
                                        java.time.InstantSource.system())));
        Channel silent =
                new io.netty.bootstrap.Bootstrap()
                        .group(loop.loop())
                        .channel(SocketLoop.datagramType())
                        .handler(
                                codecs.acceptor(
                                        new ChannelInboundHandlerAdapter() {
                                            @Override
                                            public boolean isSharable() {
                                                return true;
                                            }
                                        },
                                        System::nanoTime))
                        .bind(new InetSocketAddress(LOOPBACK, 0))
                        .sync()
                        .channel();
        try {
            String address = SocketAddresses.format(QuicEndpoint.local(silent));
            assertThatThrownBy(() -> dial(address).get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(DeadlineException.class)
                    .hasMessageContaining(address + ": the lanes were not accepted");
        } finally {
            silent.close().sync();
            loop.close();
        }
    }

    @Test
    void theNextAddressIsTriedAndTheErrorTellsEach() throws Exception {
        try (Member peer = new Member(QuicMembers.settings(7, job.identity(7), () -> {}));
                DatagramSocket hole = new DatagramSocket(0, LOOPBACK)) {
            String dead = "127.0.0.1:" + hole.getLocalPort();
            String right = peer.endpoint.address().candidates().getFirst();
            Link link = dial(dead, right).get(20, TimeUnit.SECONDS);
            assertThat(link.peer()).isEqualTo(new MemberId(7));
            assertThat(peer.takeAccepted().closeCause()).isNull();
            assertThatThrownBy(() -> dial(dead, "nowhere", "10.0.0.1:99999").get())
                    .hasMessageContaining(dead + ": no answer")
                    .hasMessageContaining("'nowhere' is no address such as")
                    .hasMessageContaining("'10.0.0.1:99999' is no address such as");
        }
    }

    @Test
    void aPeerWithoutAnAddressIsAnErrorAtOnce() {
        assertThatThrownBy(() -> dial().get())
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining("it has no address");
    }

    @Test
    void anAddressOfTheOtherFamilyIsAnErrorThatNamesBoth() {
        // Pitfall 50: one side IPv4, the other IPv6.
        assertThatThrownBy(() -> dial("[::1]:4711").get())
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining("[::1]:4711: is IPv6")
                .hasMessageContaining("bound to 127.0.0.1, which is IPv4");
    }

    @Test
    void membersOnIpv6LinkAsWell() throws Exception {
        InetAddress six = InetAddress.ofLiteral("::1");
        assumeTrue(
                java.net.NetworkInterface.getByInetAddress(six) != null,
                "this machine has no IPv6 loopback");
        var one = QuicMembers.settings(1, job.identity(1), () -> {});
        var two = QuicMembers.settings(2, job.identity(2), () -> {});
        try (Member left = new Member(QuicMembers.with(one, six, NexarConfig.defaults()));
                Member right = new Member(QuicMembers.with(two, six, NexarConfig.defaults()))) {
            assertThat(right.endpoint.address().candidates().getFirst()).startsWith("[0:0:0:0:");
            assertThat(QuicMembers.dial(left, right).peer().id()).isEqualTo(2);
        }
    }

    @Test
    void closingAnEndpointEndsItsDialsAndItsLinks() throws Exception {
        Member peer = new Member(QuicMembers.settings(7, job.identity(7), () -> {}));
        Link kept = QuicMembers.dial(dialler, peer);
        try (DatagramSocket hole = new DatagramSocket(0, LOOPBACK)) {
            CompletableFuture<Link> pending =
                    dialler.endpoint.connect(
                            new MemberId(8),
                            new PeerAddress("quic", List.of("127.0.0.1:" + hole.getLocalPort())),
                            TimeUnit.MINUTES.toNanos(5));
            dialler.close();
            assertThatThrownBy(() -> pending.get(1, TimeUnit.SECONDS))
                    .hasMessageContaining("the endpoint of member 1 was closed");
        }
        assertThat(kept.isClosed()).isTrue();
        assertThat(kept.closeCause()).contains("closed here", "member 7");
        assertThatThrownBy(() -> dial("127.0.0.1:1").get())
                .hasMessageContaining("the endpoint of member 1 was closed");
        dialler.close(); // a second close does nothing
        peer.close();
    }

    private CompletableFuture<Link> dial(String... candidates) {
        return dialler.endpoint.connect(
                new MemberId(7), new PeerAddress("quic", List.of(candidates)), TWO_SECONDS);
    }
}
