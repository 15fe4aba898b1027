package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.ProtocolException;
import io.nexar.rendezvous.Admission;
import io.nexar.rendezvous.JoinCodec;
import io.nexar.rendezvous.JoinMessage;
import io.nexar.security.Credentials;
import io.nexar.security.NodeIdentity;
import io.nexar.security.NodeTrust;
import io.nexar.security.TlsContexts;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.net.ControlConnection;
import io.nexar.transport.net.ControlFailure;
import io.nexar.transport.net.ControlListener;
import io.nexar.transport.net.ControlServer;
import io.nexar.transport.net.FreePorts;
import io.nexar.transport.net.SocketAddresses;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;

/**
 * The connections between neighbours: mutual TLS over TCP, one listener, one thread, which owns
 * everything here but {@code open}, {@code part} and {@code close}. On a new connection the dialler
 * pings; the other knows it by its certificate and answers. After that nothing is said but last
 * words: a goodbye, or that the other is out.
 */
final class NeighbourPort {
    /** Its name among a member's addresses. */
    static final String TRANSPORT = "tether";

    /** Four are honest; more who do not say who they are get no answer. */
    private static final int STRANGERS_MAX = 64;

    /**
     * A handshake takes milliseconds, and seconds where more processes than cores start at once.
     */
    private static final long STRANGER_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Goodbyes need a round trip; whoever does not answer learns it from the links. */
    private static final long GOODBYE_MILLIS = 300;

    private final ControlServer server;
    private final SSLContext tls;
    private final NodeTrust trust;
    private final Map<ControlConnection, NeighbourTether> tethers = new HashMap<>();
    private final CountDownLatch parted = new CountDownLatch(1);
    private @Nullable NeighbourListener listener;
    private boolean isClosing;

    private NeighbourPort(Admission admission, NexarConfig config) {
        EndpointSettings.Identity identity = admission.identity();
        Credentials credentials =
                new Credentials(identity.key(), identity.certificate(), identity.authority());
        this.trust = NodeTrust.of(credentials, InstantSource.system());
        this.tls = TlsContexts.mutual(credentials, trust);
        this.server =
                ControlServer.start(
                        new FreePorts(admission.address(), config.ports("nexar.ports")),
                        () -> TlsContexts.mutualServerEngine(tls),
                        RankThreads.named("neighbours-" + admission.self().id()),
                        new Accepted());
    }

    /**
     * Listens on the advertised address.
     *
     * @throws io.nexar.ConfigurationException if there is no port
     */
    static NeighbourPort open(Admission admission, NexarConfig config) {
        return new NeighbourPort(admission, config);
    }

    PeerAddress address() {
        return new PeerAddress(TRANSPORT, List.of(SocketAddresses.format(server.address())));
    }

    /** In the port's thread; once it has ended, not at all. */
    void execute(Runnable task) {
        server.execute(task);
    }

    /** From the port's thread, later. */
    void schedule(Runnable task, long delayNanos) {
        server.schedule(task, delayNanos);
    }

    /** Who hears of tethers from now on, and at once of those that stand. */
    void listen(NeighbourListener hearer) {
        listener = hearer;
        for (NeighbourTether tether : List.copyOf(tethers.values())) {
            if (tether.isOpen && tether.member != null) {
                hearer.onOpened(tether.member, tether.isDialled);
            }
        }
    }

    /** How many tethers stand. */
    int standing() {
        return (int) tethers.values().stream().filter(tether -> tether.isOpen).count();
    }

    void dial(MemberId member, List<InetSocketAddress> candidates, long timeoutNanos) {
        Dialled dialled = new Dialled(member);
        server.connect(
                new ControlServer.Outgoing(
                        candidates,
                        () -> TlsContexts.clientEngine(tls),
                        dialled,
                        dialled::onFailure),
                timeoutNanos);
    }

    /** Tells a member that it is out, and parts from it. */
    void expel(MemberId member, String reason) {
        byte[] lastWord = JoinCodec.encode(new JoinMessage.Expelled(reason));
        for (NeighbourTether tether : List.copyOf(tethers.values())) {
            if (member.equals(tether.member)) {
                tethers.remove(tether.connection);
                tether.connection.send(lastWord);
                tether.connection.closeGently();
            }
        }
    }

    /** Closes those that have not said in time who they are. */
    void dropSilent(long nowNanos) {
        for (NeighbourTether tether : tethers.values()) {
            if (!tether.isOpen && nowNanos - tether.sinceNanos >= STRANGER_NANOS) {
                tether.connection.close();
            }
        }
    }

    /** Says goodbye to all neighbours, and waits a moment until they have heard it. */
    void part() {
        server.execute(this::sayGoodbye);
        awaitParted();
    }

    /** Frees port and thread; without a goodbye this is a death. */
    void close() {
        server.close();
    }

    private void sayGoodbye() {
        if (isClosing) {
            return;
        }
        isClosing = true;
        byte[] goodbye = JoinCodec.encode(new JoinMessage.Goodbye("its process closed"));
        for (NeighbourTether tether : List.copyOf(tethers.values())) {
            if (tether.isOpen) {
                tether.connection.send(goodbye);
            } else {
                tether.connection.close();
            }
        }
        countDownIfParted();
    }

    private void countDownIfParted() {
        if (isClosing && tethers.isEmpty()) {
            parted.countDown();
        }
    }

    private void awaitParted() {
        boolean isInterrupted = Thread.interrupted();
        try {
            parted.await(GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            isInterrupted = true;
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private NeighbourTether add(ControlConnection connection, boolean isDialled) {
        NeighbourTether tether = new NeighbourTether(connection, isDialled, System.nanoTime());
        tethers.put(connection, tether);
        return tether;
    }

    private void open(NeighbourTether tether, MemberId member) {
        if (tether.isOpen) {
            return;
        }
        tether.member = member;
        tether.isOpen = true;
        if (listener != null) {
            listener.onOpened(member, tether.isDialled);
        }
    }

    private void handleMessage(NeighbourTether tether, JoinMessage message) {
        MemberId member = tether.member;
        switch (message) {
            case JoinMessage.Ping _ when !tether.isDialled -> {
                tether.connection.send(JoinCodec.encode(new JoinMessage.Pong()));
                open(tether, ownerOf(tether.connection));
            }
            case JoinMessage.Pong _ when tether.isDialled && member != null -> open(tether, member);
            case JoinMessage.Goodbye _ when tether.isOpen && member != null -> {
                if (listener != null) {
                    listener.onGoodbye(member);
                }
                tether.connection.close();
            }
            case JoinMessage.Expelled expelled when tether.isOpen -> {
                if (listener != null) {
                    listener.onExpelled(expelled.reason());
                }
                tether.connection.close();
            }
            default -> tether.connection.close(); // nothing that belongs here
        }
    }

    private static MemberId ownerOf(ControlConnection connection) {
        return new MemberId(NodeIdentity.of(connection.peerCertificate()).memberId());
    }

    private class Accepted implements ControlListener {
        @Override
        public void onOpen(ControlConnection connection) {
            long strangers = tethers.values().stream().filter(it -> !it.isOpen).count();
            if (isClosing || strangers >= STRANGERS_MAX) {
                connection.close();
            } else {
                add(connection, false);
            }
        }

        @Override
        public void onMessage(ControlConnection connection, byte[] bytes) {
            NeighbourTether tether = tethers.get(connection);
            if (tether == null) {
                return; // being closed
            }
            try {
                handleMessage(tether, JoinCodec.decode(bytes, connection.toString()));
            } catch (ProtocolException e) {
                connection.close();
            }
        }

        @Override
        public void onClosed(ControlConnection connection, String reason) {
            NeighbourTether tether = tethers.remove(connection);
            countDownIfParted();
            if (tether != null && tether.member != null && listener != null && !isClosing) {
                if (tether.isOpen) {
                    listener.onClosed(tether.member, tether.isDialled);
                } else {
                    listener.onDialFailed(tether.member);
                }
            }
        }
    }

    /** TLS has shown that somebody of this job listens there; this checks who it is. */
    private final class Dialled extends Accepted {
        private final MemberId member;

        Dialled(MemberId member) {
            this.member = member;
        }

        @Override
        public void onOpen(ControlConnection connection) {
            try {
                trust.requireMember(connection.peerCertificate(), member.id());
            } catch (ProtocolException somebodyElse) {
                connection.close();
                refused();
                return;
            }
            add(connection, true).member = member;
            connection.send(JoinCodec.encode(new JoinMessage.Ping()));
        }

        void onFailure(ControlFailure failure) {
            switch (failure.kind()) {
                case REFUSED, UNTRUSTED -> refused();
                case UNREACHABLE, SILENT -> {
                    if (listener != null) {
                        listener.onDialFailed(member);
                    }
                }
            }
        }

        private void refused() {
            if (listener != null) {
                listener.onRefused(member);
            }
        }
    }
}
