package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.Version;
import io.nexar.security.AddressTokens;
import io.nexar.transport.Link;
import io.nexar.transport.net.SocketAddresses;
import io.nexar.transport.quic.QuicMembers.Job;
import io.nexar.transport.quic.QuicMembers.Member;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Datagrams of people who are no members: nothing is kept for them and little is answered. */
@ExtendWith(LeakCheck.class)
class QuicStrangersTest {
    private final Random random = new Random(82);
    private final Job job = new Job("strangers");
    private Member member;
    private InetSocketAddress accepting;

    @BeforeEach
    void open() {
        member = new Member(QuicMembers.settings(1, job.identity(1), () -> {}));
        accepting = SocketAddresses.parse(member.endpoint.address().candidates().getFirst());
    }

    @AfterEach
    void anHonestMemberStillGetsItsLink() throws Exception {
        try (Member honest = new Member(QuicMembers.settings(2, job.identity(2), () -> {}))) {
            Link link = QuicMembers.dial(honest, member);
            assertThat(link.closeCause()).isNull();
            assertThat(member.takeAccepted().peer().id()).isEqualTo(2);
        }
        member.close();
    }

    @Test
    void garbageOnEitherPortIsSwallowed() throws Exception {
        int dialling = QuicEndpoint.local(member.endpoint.dialling()).getPort();
        try (DatagramSocket socket = socket()) {
            for (int i = 0; i < 2_000; i++) {
                byte[] garbage = new byte[random.nextInt(1, 1_500)];
                random.nextBytes(garbage);
                if (i % 3 == 0) {
                    garbage[0] = (byte) (0xC0 | garbage[0]); // looks like a first packet
                }
                int port = i % 2 == 0 ? accepting.getPort() : dialling;
                socket.send(
                        new DatagramPacket(garbage, garbage.length, accepting.getAddress(), port));
            }
        }
    }

    @Test
    void aFirstPacketGetsATokenAndNoMoreBytesThanItBrought() throws Exception {
        // Pitfall 82: before an address is proven nothing is kept, and a Retry is all that goes
        // out.
        try (DatagramSocket socket = socket()) {
            socket.send(packet(first(new byte[0])));
            assertThat(receive(socket).length).isLessThan(FirstPacket.BYTES);
            assertThat(receive(socket)).as("a second answer").isEmpty();
            assertThat(pendingCount()).isZero();
        }
    }

    @Test
    void aTokenThatWasNotMintedHereProvesNothing() throws Exception {
        // Pitfall 85: any token in a first packet used to count as proof of the address.
        byte[] guessed = new byte[60];
        random.nextBytes(guessed);
        try (DatagramSocket socket = socket()) {
            InetSocketAddress own = new InetSocketAddress("127.0.0.1", socket.getLocalPort());
            byte[] anotherProcess =
                    new AddressTokens(new SecureRandom()).mint(own, id(), System.nanoTime());
            for (byte[] token : List.of(guessed, anotherProcess, new byte[400])) {
                socket.send(packet(first(token)));
                assertThat(receive(socket).length).isLessThan(FirstPacket.BYTES);
                assertThat(pendingCount()).isZero();
            }
        }
    }

    @Test
    void aTokenServesItsOwnPortOnly() throws Exception {
        byte[] retry;
        try (DatagramSocket owner = socket();
                DatagramSocket thief = socket()) {
            owner.send(packet(first(new byte[0])));
            retry = receive(owner);
            FirstPacket second = new FirstPacket(sourceIdOf(retry), id(), tokenOf(retry));
            thief.send(packet(second));
            assertThat(receive(thief).length).isLessThan(FirstPacket.BYTES);
            assertThat(pendingCount()).isZero();
            // The same packet from where the token was sent: this is what believing looks like.
            owner.send(packet(second));
            assertThat(receive(owner)).isNotEmpty();
            assertThat(pendingCount()).isEqualTo(1);
        }
    }

    @Test
    void chosenConnectionIdsLeaveNothingBehind() throws Exception {
        // Pitfall 88: ids that a stranger chose to collide in the table of connections. Without a
        // proven address there is no entry; how proven ones are hashed is Netty's, below.
        try (DatagramSocket socket = socket()) {
            byte[] id = id();
            for (int i = 0; i < 1_000; i++) {
                id[i % id.length] = (byte) i; // neighbours, as an attacker would choose them
                socket.send(packet(new FirstPacket(id, id, new byte[0])));
            }
            assertThat(receive(socket).length).isLessThan(FirstPacket.BYTES);
            assertThat(pendingCount()).isZero();
        }
    }

    @Test
    void nettyIsNewEnoughForItsKnownQuicFaults() {
        // Pitfalls 85 and 86: tokens and stateless resets were forgeable before 4.2.15. Pitfalls 88
        // and 89: hashes of ids, and floods of QUIC's own frames, were bounded earlier.
        String version =
                Objects.requireNonNull(Version.identify().get("netty-codec-classes-quic"))
                        .artifactVersion();
        List<Integer> parts =
                Arrays.stream(version.replace(".Final", "").split("\\."))
                        .map(Integer::valueOf)
                        .toList();
        assertThat(parts.get(0)).isEqualTo(4);
        assertThat(parts.get(1) * 1000 + parts.get(2)).isGreaterThanOrEqualTo(2 * 1000 + 15);
    }

    private int pendingCount() throws Exception {
        return member.endpoint
                .loop()
                .submit(member.endpoint::pendingCount)
                .get(5, TimeUnit.SECONDS);
    }

    private FirstPacket first(byte[] token) {
        return new FirstPacket(id(), id(), token);
    }

    private byte[] id() {
        byte[] id = new byte[20]; // as long as those that the server gives out
        random.nextBytes(id);
        return id;
    }

    private DatagramPacket packet(FirstPacket packet) throws GeneralSecurityException {
        return new DatagramPacket(packet.bytes(), FirstPacket.BYTES, accepting);
    }

    private static DatagramSocket socket() throws IOException {
        DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
        socket.setSoTimeout(1_000); // an answer takes well under a millisecond
        return socket;
    }

    /** The next datagram; empty if none comes. */
    private static byte[] receive(DatagramSocket socket) throws IOException {
        DatagramPacket received = new DatagramPacket(new byte[2_000], 2_000);
        try {
            socket.receive(received);
            return Arrays.copyOf(received.getData(), received.getLength());
        } catch (SocketTimeoutException quiet) {
            return new byte[0];
        }
    }

    /** RFC 9000, 17.2.5: ids, then the token, then the 16 bytes of the tag. */
    private static byte[] sourceIdOf(byte[] retry) {
        int at = 6 + retry[5];
        return Arrays.copyOfRange(retry, at + 1, at + 1 + retry[at]);
    }

    private static byte[] tokenOf(byte[] retry) {
        int at = 6 + retry[5];
        return Arrays.copyOfRange(retry, at + 1 + retry[at], retry.length - 16);
    }
}
