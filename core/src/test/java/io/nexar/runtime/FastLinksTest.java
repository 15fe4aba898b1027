package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ConfigurationException;
import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.RendezvousException;
import io.nexar.rendezvous.Admission;
import io.nexar.rendezvous.LinkFailure;
import io.nexar.rendezvous.Roster;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.Transport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

@Timeout(30)
class FastLinksTest {
    private static final int SELF = 3;

    private final Logger logger = Logger.getLogger("io.nexar");
    private final List<String> warnings = new ArrayList<>();
    private final Handler collector =
            new Handler() {
                @Override
                public void publish(LogRecord entry) {
                    if (entry.getLevel().equals(Level.WARNING)) {
                        warnings.add(new java.util.logging.SimpleFormatter().formatMessage(entry));
                    }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        logger.addHandler(collector);
    }

    @AfterEach
    void ignore() {
        logger.removeHandler(collector);
    }

    @Test
    void theFirstTransportThatWorksIsTaken() {
        FakeTransport shm = FakeTransport.working("shm");
        FakeTransport tcp = FakeTransport.working("tcp");
        FastLinks links = dialAll("auto", shm, tcp);
        assertThat(shm.dialled()).containsExactly(new MemberId(0), new MemberId(1));
        assertThat(tcp.dialled()).as("of another host").containsExactly(new MemberId(2));
        for (int peer = 0; peer < SELF; peer++) {
            assertThat(links.to(new MemberId(peer))).as("rank %d", peer).isNotNull();
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void whatDoesNotReachAPeerIsFollowedByTheNextAndNamedOnce() {
        FakeTransport shm = FakeTransport.notReaching("shm", "no room in /dev/shm");
        FakeTransport tcp = FakeTransport.working("tcp");
        FastLinks links = dialAll("auto", shm, tcp);
        assertThat(tcp.dialled())
                .containsExactly(new MemberId(0), new MemberId(1), new MemberId(2));
        assertThat(links.to(new MemberId(1))).isNotNull();
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("shm", "rank 0", "no room in /dev/shm");
    }

    @Test
    void whereNoneWorksQuicCarriesOn() {
        FastLinks links =
                dialAll(
                        "auto",
                        FakeTransport.notOpening("shm", opening("16 bytes of memory")),
                        FakeTransport.notReaching("tcp", "port blocked"));
        for (int peer = 0; peer < SELF; peer++) {
            assertThat(links.to(new MemberId(peer))).as("rank %d", peer).isNull();
        }
        assertThat(warnings).hasSize(2);
        assertThat(warnings.getFirst()).contains("shm", "16 bytes of memory");
        assertThat(warnings.getLast()).contains("tcp", "port blocked");
    }

    @Test
    void aTransportThatIsAskedForMustWork() {
        assertThatThrownBy(() -> dialAll("tcp", FakeTransport.notReaching("tcp", "port blocked")))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(LinkFailure.class)
                .hasMessageContaining("port blocked")
                .extracting("rank")
                .isEqualTo(0);
        RendezvousException broken = opening("16 bytes of memory");
        assertThatThrownBy(() -> dialAll("shm", FakeTransport.notOpening("shm", broken)))
                .isSameAs(broken);
        assertThat(warnings).isEmpty();
    }

    @Test
    void sharedMemoryThatIsAskedForIsRefusedBetweenHosts() {
        assertThatThrownBy(() -> dialAll("shm", FakeTransport.working("shm")))
                .cause()
                .isInstanceOf(LinkFailure.class)
                .hasMessageContaining("shm does not reach")
                .extracting("rank")
                .isEqualTo(2);
    }

    @Test
    void methodCallsLinkNoProcesses() {
        assertThatThrownBy(() -> Transports.fast(config("local")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("local")
                .hasMessageContaining("one JVM");
    }

    /** Ranks 0, 1 and 3 share a host; rank 3 dials those below it. */
    private static FastLinks dialAll(String setting, FakeTransport... fakes) {
        FastLinks links = new FastLinks(config(setting), List.<Transport>of(fakes), () -> {});
        links.open(
                new Admission(
                        new MemberId(SELF),
                        SELF + 1,
                        noIdentity(),
                        InetAddress.getLoopbackAddress()));
        List<Roster.Entry> entries = new ArrayList<>();
        for (int rank = 0; rank <= SELF; rank++) {
            int host = rank == 2 ? 1 : 0;
            List<PeerAddress> addresses =
                    Stream.of(fakes).map(fake -> fake.addressOn(host)).toList();
            entries.add(new Roster.Entry(new MemberId(rank), "host " + host, "", addresses));
        }
        Roster roster = new Roster(0, entries);
        for (int peer = 0; peer < SELF; peer++) {
            links.dial(roster.entry(peer), peer).join();
        }
        return links;
    }

    private static NexarConfig config(String transport) {
        return NexarConfig.defaults().with("nexar.transport", transport);
    }

    private static RendezvousException opening(String reason) {
        return new RendezvousException(reason, List.of());
    }

    /** Nobody here asks for it. */
    @SuppressWarnings("NullAway")
    private static EndpointSettings.Identity noIdentity() {
        return null;
    }
}
