package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nexar.ConfigurationException;
import io.nexar.NexarConfig;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.quic.QuicMembers.Job;
import io.nexar.transport.quic.QuicMembers.Member;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

@ExtendWith(LeakCheck.class)
class QuicPortsTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private final Job job = new Job("ports");

    @Test
    void eightPortsServeFourMembersAndTheFifthIsToldWhy() throws Exception {
        // Pitfall 52: exactly two UDP ports a process, within the range that the user gave.
        int first = eightFreePorts();
        String range = first + "-" + (first + 7);
        List<Member> members = new ArrayList<>();
        try {
            Set<Integer> ports = new HashSet<>();
            for (int i = 0; i < 4; i++) {
                Member member = new Member(ranged(i, range));
                members.add(member);
                ports.add(QuicEndpoint.local(member.endpoint.dialling()).getPort());
                ports.add(accepting(member));
            }
            assertThat(ports).hasSize(8).allMatch(port -> port >= first && port <= first + 7);
            assertThatThrownBy(() -> new Member(ranged(4, range)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("range exhausted " + range);
            Link link = QuicMembers.dial(members.get(0), members.get(3));
            assertThat(link.peer().id()).isEqualTo(3);
        } finally {
            members.forEach(Member::close);
        }
        new Member(ranged(5, range)).close(); // all ports are free again
    }

    @Test
    void manyLinksShareTwoPortsAMember() throws Exception {
        // Pitfall 53: links both ways run over the same two sockets, whatever their number.
        int members = Boolean.getBoolean("nexar.test.full") ? 64 : 6;
        Set<String> before = ownUdpSockets();
        List<Member> all = new ArrayList<>();
        try {
            for (int i = 0; i < members; i++) {
                all.add(new Member(QuicMembers.settings(i, job.identity(i), () -> {})));
            }
            for (int i = 0; i < members; i++) {
                for (int j = 0; j < i; j++) {
                    QuicMembers.dial(all.get(i), all.get(j));
                    assertThat(all.get(j).takeAccepted().peer().id()).isEqualTo(i);
                }
            }
            Set<String> opened = ownUdpSockets();
            opened.removeAll(before);
            assertThat(opened).hasSize(2 * members);
        } finally {
            all.forEach(Member::close);
        }
    }

    @Test
    void nothingListensButTheTwoSocketsOnTheAskedAddress() throws Exception {
        // Pitfall 82: never on all interfaces.
        Set<String> before = ownUdpSockets();
        try (Member member = new Member(QuicMembers.settings(1, job.identity(1), () -> {}))) {
            Set<String> opened = ownUdpSockets();
            opened.removeAll(before);
            assertThat(opened)
                    .hasSize(2)
                    .allMatch(local -> local.contains("0100007F:"), "127.0.0.1, mapped or not");
            assertThat(accepting(member)).isPositive();
        }
        assertThat(ownUdpSockets()).isEqualTo(before);
    }

    @Test
    void theWildcardAddressIsRefused() throws Exception {
        EndpointSettings anywhere =
                QuicMembers.with(
                        QuicMembers.settings(1, job.identity(1), () -> {}),
                        InetAddress.ofLiteral("0.0.0.0"),
                        NexarConfig.defaults());
        assertThatThrownBy(() -> new Member(anywhere))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0.0.0.0");
    }

    private EndpointSettings ranged(long member, String range) {
        return QuicMembers.with(
                QuicMembers.settings(member, job.identity(member), () -> {}),
                LOOPBACK,
                NexarConfig.defaults().with("nexar.ports", range));
    }

    private static int accepting(Member member) {
        String address = member.endpoint.address().candidates().getFirst();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** The start of eight ports below the range from which the system gives out its own. */
    private static int eightFreePorts() throws IOException {
        Random random = new Random();
        for (int attempt = 0; attempt < 100; attempt++) {
            int first = 20_000 + random.nextInt(10_000);
            List<DatagramSocket> held = new ArrayList<>();
            try {
                for (int i = 0; i < 8; i++) {
                    held.add(new DatagramSocket(first + i, LOOPBACK));
                }
                return first;
            } catch (java.net.BindException taken) {
                // Somebody has one of the eight: others are tried.
            } finally {
                held.forEach(DatagramSocket::close);
            }
        }
        throw new AssertionError("no eight free ports in a row were found");
    }

    /** Local addresses of this process's UDP sockets, each with its inode. */
    private static Set<String> ownUdpSockets() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(descriptors), "needs Linux's /proc to see open sockets");
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> files = Files.list(descriptors)) {
            for (Path file : files.toList()) {
                try {
                    String target = Files.readSymbolicLink(file).toString();
                    if (target.startsWith("socket:[")) {
                        inodes.add(target.substring(8, target.length() - 1));
                    }
                } catch (IOException closedMeanwhile) {
                    // Not open any more, so not listening.
                }
            }
        }
        Set<String> sockets = new HashSet<>();
        for (String table : List.of("/proc/self/net/udp", "/proc/self/net/udp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] columns = line.trim().split("\\s+");
                if (columns.length > 9 && inodes.contains(columns[9])) {
                    sockets.add(columns[1] + " inode " + columns[9]);
                }
            }
        }
        return sockets;
    }
}
