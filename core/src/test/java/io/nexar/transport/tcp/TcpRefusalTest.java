package io.nexar.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.DeadlineException;
import io.nexar.MemberId;
import io.nexar.RendezvousException;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.net.SocketAddresses;
import io.nexar.transport.tcp.TcpMembers.Job;
import io.nexar.transport.tcp.TcpMembers.Member;
import io.nexar.transport.tcp.TcpMembers.Wish;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Who gets no link, what is said about it, and that others still get theirs. */
@Timeout(60)
class TcpRefusalTest {
    private static final long STRANGER_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final Limits TIGHT = new Limits(4, STRANGER_NANOS, TcpMembers.WINDOW_BYTES);

    private final Job job = new Job("honest");
    private Member two;

    @BeforeEach
    void open() {
        two =
                new Member(
                        2,
                        job.identity(2),
                        Wish.plain().with(TIGHT).with((MemberId any) -> any.id() != 66));
    }

    @AfterEach
    void anHonestMemberStillGetsItsLink() throws Exception {
        try (Member honest = new Member(1, job.identity(1), Wish.plain())) {
            Link link = TcpMembers.dial(honest, two);
            assertThat(link.closeCause()).isNull();
            assertThat(two.takeAccepted().peer().id()).isEqualTo(1);
        }
        two.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Protection.class,
            names = {"TLS", "JDK_TLS"})
    void aCertificateOfAnotherJobIsRefusedByBothEnds(Protection protection) throws Exception {
        try (Member stranger =
                new Member(7, new Job("other").identity(7), Wish.plain().with(protection))) {
            assertThatThrownBy(() -> TcpMembers.dial(stranger, two))
                    .hasCauseInstanceOf(RendezvousException.class)
                    .hasMessageContaining("not signed by the authority of job other");
            assertThat(two.takeRefused()).contains("it does not accept this member's certificate");
        }
    }

    @Test
    void anExpiredCertificateIsRefused() throws Exception {
        InstantSource later = InstantSource.fixed(Instant.now().plus(Duration.ofDays(4_000)));
        try (Member late = new Member(9, job.identity(9), Wish.plain().at(later))) {
            assertThatThrownBy(() -> TcpMembers.dial(late, two))
                    .hasCauseInstanceOf(RendezvousException.class)
                    .hasMessageContaining("expired");
            assertThat(two.takeRefused()).isNotBlank();
        }
    }

    @Test
    void aMemberThatIsNotTheOneThatWasDialledIsNamed() throws Exception {
        try (Member one = new Member(1, job.identity(1), Wish.plain())) {
            CompletableFuture<Link> dial =
                    one.endpoint.connect(
                            new MemberId(3), two.endpoint.address(), TcpMembers.TIMEOUT_NANOS);
            assertThatThrownBy(() -> dial.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(RendezvousException.class)
                    .hasMessageContaining("expected member 3 of job honest")
                    .hasMessageContaining("the peer is member 2 of job honest")
                    .hasMessageContaining(SocketAddresses.format(accepting()));
            assertThat(two.takeRefused()).isNotBlank();
        }
    }

    @Test
    void aNodeOfThisJobThatIsNoMemberIsToldSo() throws Exception {
        try (Member former = new Member(66, job.identity(66), Wish.plain())) {
            assertThatThrownBy(() -> TcpMembers.dial(former, two))
                    .hasCauseInstanceOf(RendezvousException.class)
                    .hasMessageContaining("member 66 is no member for member 2");
            assertThat(two.takeRefused()).contains("member 66 is no member");
        }
    }

    @Test
    void plainTextIsNotSpokenWithWhoWantsEncryption() throws Exception {
        try (Member careless =
                new Member(5, job.identity(5), Wish.plain().with(Protection.INSECURE_PLAINTEXT))) {
            assertThatThrownBy(() -> TcpMembers.dial(careless, two))
                    .hasCauseInstanceOf(RendezvousException.class)
                    .hasMessageContaining("it wants protection 2, this side 1 (tcp)");
            assertThat(two.takeRefused()).contains("it wants protection 2");
        }
    }

    @Test
    void garbageIsNoHandshake() throws Exception {
        Random random = new Random(82);
        for (int i = 0; i < 20; i++) {
            byte[] garbage = new byte[random.nextInt(1, 40_000)];
            random.nextBytes(garbage);
            try (Socket socket = connect()) {
                socket.setSoTimeout(5_000);
                socket.getOutputStream().write(garbage);
                drain(socket);
            }
            assertThat(two.takeRefused()).contains("127.0.0.1");
        }
    }

    @Test
    void whoSaysNothingOrDribblesIsDroppedInTime() throws Exception {
        // Pitfall 40: a peer that connects and goes silent before its first frame.
        try (Socket silent = connect();
                Socket dribbling = connect()) {
            dribbling.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0, 1});
            silent.setSoTimeout(5_000);
            dribbling.setSoTimeout(5_000);
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
            assertThat(dribbling.getInputStream().read()).isEqualTo(-1);
        }
        for (int i = 0; i < 2; i++) {
            assertThat(two.takeRefused()).contains("no link within 400 ms");
        }
    }

    @Test
    void aFloodOfStrangersDropsTheOldestAndKeepsNoMore() throws Exception {
        // Pitfall 82: nothing is answered to who shows no certificate, and little is kept.
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                sockets.add(connect());
            }
            for (int i = 0; i < 46; i++) {
                assertThat(two.takeRefused()).contains("no link");
            }
            try (Member honest = new Member(8, job.identity(8), Wish.plain())) {
                assertThat(TcpMembers.dial(honest, two).closeCause()).isNull();
                assertThat(two.takeAccepted().peer().id()).isEqualTo(8);
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void aBlackHoleFailsTheDialAtItsDeadline() throws Exception {
        // Pitfall 41: the caller's timeout reaches the first packet, and everything behind it.
        try (ServerSocket hole = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                Member one = new Member(1, job.identity(1), Wish.plain())) {
            String address = "127.0.0.1:" + hole.getLocalPort();
            assertThatThrownBy(() ->
                            one.endpoint
                                    .connect(
                                            new MemberId(7),
                                            new PeerAddress("tcp", List.of(address, "nowhere")),
                                            TimeUnit.MILLISECONDS.toNanos(500))
                                    .get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(DeadlineException.class)
                    .hasMessageContaining("member 7")
                    .hasMessageContaining(address + ": no answer")
                    .hasMessageContaining("'nowhere' is no address such as");
        }
    }

    @Test
    void nobodyListeningIsAnErrorAtOnce() throws Exception {
        String address;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            address = "127.0.0.1:" + closed.getLocalPort();
        }
        try (Member one = new Member(1, job.identity(1), Wish.plain())) {
            assertThatThrownBy(() ->
                            one.endpoint
                                    .connect(
                                            new MemberId(7),
                                            new PeerAddress("tcp", List.of(address)),
                                            TcpMembers.TIMEOUT_NANOS)
                                    .get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(RendezvousException.class)
                    .hasMessageContaining("refused");
        }
    }

    private Socket connect() throws IOException {
        return new Socket(accepting().getAddress(), accepting().getPort());
    }

    private InetSocketAddress accepting() {
        return SocketAddresses.parse(two.endpoint.address().candidates().getFirst());
    }

    private static void drain(Socket socket) {
        try (InputStream in = socket.getInputStream()) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
        } catch (IOException reset) {
            // As good as an end.
        }
    }
}
