package io.nexar.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.MemberId;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.net.SocketAddresses;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The relay with real sockets on loopback. */
class RelayTest {

    private static final MemberId MEMBER = new MemberId(4);
    private static final int WAIT_MILLIS = 20_000;

    private volatile Conditions conditions = Conditions.GOOD;
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Relay relay =
            Relay.start(
                    new RelaySettings(
                            42,
                            (place, nanos) -> conditions,
                            System::nanoTime,
                            Thread.ofPlatform().name("relay-test").daemon().factory(),
                            failures::add));

    @AfterEach
    void closes() {
        relay.close();
        assertThat(failures).isEmpty();
    }

    @Test
    void datagramsFindTheirWayThereAndBack() throws Exception {
        try (DatagramSocket member = socket();
                DatagramSocket one = socket();
                DatagramSocket other = socket()) {
            InetSocketAddress front = udpFront(member);
            assertThat(udpFront(member)).as("asked again").isEqualTo(front);
            send(one, front, 1);
            DatagramPacket fromOne = receive(member);
            send(other, front, 2);
            DatagramPacket fromOther = receive(member);
            assertThat(number(fromOne)).isEqualTo(1);
            assertThat(number(fromOther)).isEqualTo(2);
            assertThat(fromOne.getSocketAddress()).isNotEqualTo(fromOther.getSocketAddress());
            send(member, fromOther.getSocketAddress(), 20);
            send(member, fromOne.getSocketAddress(), 10);
            assertThat(number(receive(one))).isEqualTo(10);
            DatagramPacket answer = receive(other);
            assertThat(number(answer)).isEqualTo(20);
            assertThat(answer.getSocketAddress()).isEqualTo(front);
        }
    }

    @Test
    void lossDoublesAndLatenessHappenAndAreCounted() throws Exception {
        conditions =
                Conditions.both(
                        Faults.NONE
                                .withLoss(0.2)
                                .withDuplicates(0.2)
                                .withLate(0.2, Duration.ofMillis(30)));
        int count = 300;
        try (DatagramSocket member = socket();
                DatagramSocket sender = socket()) {
            InetSocketAddress front = udpFront(member);
            for (int i = 0; i < count; i++) {
                send(sender, front, i);
            }
            List<Integer> got = receiveAll(member);
            RelayCounters counters = relay.counters();
            assertThat(counters.datagrams()).isEqualTo(count);
            assertThat(counters.lost()).isBetween(30L, 90L);
            assertThat(counters.doubled()).isBetween(24L, 80L);
            assertThat(counters.delayed()).isBetween(24L, 80L);
            assertThat(got).hasSize((int) (count - counters.lost() + counters.doubled()));
            List<Integer> sorted = new ArrayList<>(got);
            Collections.sort(sorted);
            assertThat(got).as("some were overtaken").isNotEqualTo(sorted);
        }
    }

    @Test
    void aCutOfOneWayLeavesTheOtherOpen() throws Exception {
        try (DatagramSocket member = socket();
                DatagramSocket sender = socket()) {
            InetSocketAddress front = udpFront(member);
            send(sender, front, 1);
            DatagramPacket first = receive(member);
            conditions = new Conditions(Faults.NONE.withCut(true), Faults.NONE);
            send(sender, front, 2);
            send(member, first.getSocketAddress(), 3);
            assertThat(number(receive(sender))).isEqualTo(3);
            conditions = Conditions.GOOD;
            send(sender, front, 4);
            assertThat(number(receive(member))).isEqualTo(4);
            assertThat(relay.counters().cut()).isEqualTo(1);
        }
    }

    @Test
    void aMemberWhoseSocketIsGoneHarmsNobodyElse() throws Exception {
        try (DatagramSocket member = socket();
                DatagramSocket sender = socket()) {
            DatagramSocket gone = socket();
            InetSocketAddress deadEnd = udpFront(gone);
            gone.close();
            for (int i = 0; i < 20; i++) {
                send(sender, deadEnd, i);
            }
            send(sender, udpFront(member), 5);
            assertThat(number(receive(member))).isEqualTo(5);
        }
    }

    @Test
    void aConnectionIsStalledByACutAndLosesNothing() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket dialler = dial(relay.inFrontOfSeed(address(server)));
                Socket accepted = server.accept()) {
            dialler.getOutputStream().write(7);
            assertThat(accepted.getInputStream().read()).isEqualTo(7);
            conditions = Conditions.both(Faults.NONE.withCut(true));
            dialler.getOutputStream().write(new byte[] {8, 9});
            dialler.shutdownOutput();
            accepted.setSoTimeout(300);
            assertThatThrownBy(() -> accepted.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class);
            conditions = Conditions.GOOD;
            accepted.setSoTimeout(WAIT_MILLIS);
            assertThat(accepted.getInputStream().readAllBytes()).containsExactly(8, 9);
            // The other direction is still open.
            accepted.getOutputStream().write(10);
            assertThat(dialler.getInputStream().read()).isEqualTo(10);
            accepted.close();
            assertThat(dialler.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(relay.counters().connections()).isEqualTo(1);
        assertThat(relay.counters().connectionBytes()).isEqualTo(4);
    }

    @Test
    void aSlowReaderHoldsItsWriterBackAndGetsEveryByte() throws Exception {
        byte[] sent = new byte[32 << 20];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = (byte) (i * 31 + (i >> 12));
        }
        conditions = Conditions.both(Faults.NONE.withDelay(Duration.ofMillis(2)));
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket dialler = dial(relay.inFrontOfSeed(address(server)));
                Socket accepted = server.accept()) {
            Thread writer =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    dialler.getOutputStream().write(sent);
                                    dialler.shutdownOutput();
                                } catch (IOException e) {
                                    failures.add("the writer: " + e);
                                }
                            });
            accepted.setSoTimeout(WAIT_MILLIS);
            assertThat(accepted.getInputStream().readAllBytes()).isEqualTo(sent);
            writer.join();
        }
    }

    @Test
    void aResetReachesBothEndsAndAnUnansweredDialTheDialler() throws Exception {
        InetSocketAddress nobody;
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket dialler = dial(relay.inFrontOfSeed(address(server)));
                Socket accepted = server.accept()) {
            nobody = address(server);
            relay.resetConnections(any -> true);
            for (Socket end : List.of(dialler, accepted)) {
                end.setSoTimeout(WAIT_MILLIS);
                assertThatThrownBy(() -> end.getInputStream().read())
                        .isInstanceOf(SocketException.class)
                        .hasMessageContaining("reset");
            }
        }
        try (Socket dialler = dial(relay.inFrontOfSeed(nobody))) {
            dialler.setSoTimeout(WAIT_MILLIS);
            assertThatThrownBy(() -> dialler.getInputStream().read())
                    .isInstanceOf(SocketException.class);
        }
    }

    @Test
    void addressesThatAreNoneAreRefusedAndKindsAreKept() throws Exception {
        assertThatThrownBy(() -> relay.route(MEMBER, new PeerAddress("quic", List.of("a:b"))))
                .hasMessageContaining("a:b");
        PeerAddress tcp = new PeerAddress("tether", List.of("127.0.0.1:9", "[::1]:9"));
        PeerAddress routed = relay.route(MEMBER, tcp);
        assertThat(routed.transport()).isEqualTo("tether");
        assertThat(routed.candidates().get(0)).startsWith("127.0.0.1:").doesNotEndWith(":9");
        assertThat(SocketAddresses.parse(routed.candidates().get(1)).getAddress())
                .isEqualTo(InetAddress.ofLiteral("::1"));
    }

    private InetSocketAddress udpFront(DatagramSocket member) {
        String at = SocketAddresses.format((InetSocketAddress) member.getLocalSocketAddress());
        PeerAddress routed = relay.route(MEMBER, new PeerAddress("quic", List.of(at)));
        return SocketAddresses.parse(routed.candidates().getFirst());
    }

    private static InetSocketAddress address(ServerSocket server) {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private static Socket dial(InetSocketAddress address) throws IOException {
        return new Socket(address.getAddress(), address.getPort());
    }

    private static DatagramSocket socket() throws IOException {
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setReceiveBufferSize(4 << 20); // a small one loses what nobody meant to lose
        socket.setSoTimeout(WAIT_MILLIS);
        return socket;
    }

    private static void send(DatagramSocket from, java.net.SocketAddress to, int number)
            throws IOException {
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        from.send(new DatagramPacket(bytes, bytes.length, to));
    }

    private static DatagramPacket receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        socket.receive(packet);
        return packet;
    }

    private static int number(DatagramPacket packet) {
        return ByteBuffer.wrap(packet.getData(), 0, packet.getLength()).getInt();
    }

    /** What comes until nothing has come for a while. */
    private static List<Integer> receiveAll(DatagramSocket socket) throws IOException {
        List<Integer> got = new ArrayList<>();
        socket.setSoTimeout(500);
        try {
            while (true) {
                got.add(number(receive(socket)));
            }
        } catch (SocketTimeoutException e) {
            return got;
        }
    }
}
