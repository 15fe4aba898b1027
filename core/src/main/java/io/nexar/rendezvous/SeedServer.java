package io.nexar.rendezvous;

import io.nexar.ConfigurationException;
import io.nexar.ProtocolException;
import io.nexar.security.Certificates;
import io.nexar.security.Credentials;
import io.nexar.security.JoinString;
import io.nexar.security.NodeIdentity;
import io.nexar.security.Pin;
import io.nexar.security.TlsContexts;
import io.nexar.transport.net.ControlConnection;
import io.nexar.transport.net.ControlFailure;
import io.nexar.transport.net.ControlListener;
import io.nexar.transport.net.ControlServer;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;

/**
 * A job's seed: {@link SeedMachine} over one TCP port with TLS 1.3.
 *
 * <p>The machine, the connections and the listener belong to the seed's one thread; the public
 * methods may be called from any.
 */
public final class SeedServer implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(SeedServer.class.getName());

    /** How late a deadline of seconds may be noticed, for a tick that costs next to nothing. */
    private static final long TICK_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(250);

    /** So that a tick never chases itself. */
    private static final long TICK_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);

    private final SeedSettings settings;
    private final SeedMachine machine;
    private final Map<Long, ControlConnection> connections = new HashMap<>();
    private final Map<ControlConnection, Long> ids = new HashMap<>();
    private final ControlServer server;
    private final JoinString joinString;
    private long nextId;
    private volatile SeedStatus status; // written in the seed's thread

    private SeedServer(SeedSettings settings) {
        this.settings = settings;
        Credentials credentials = settings.authority().issueSeed(settings.clock().instant());
        SeedRules rules =
                new SeedRules(
                        settings.authority().jobId(),
                        settings.token(),
                        settings.worldSize(),
                        settings.jobSettings(),
                        settings.formationNanos(),
                        SeedRules.helloNanosFor(settings.worldSize()));
        this.machine = new SeedMachine(rules, signer(), settings.nanoClock().getAsLong());
        this.status = new SeedStatus(machine.phase(), 0, settings.worldSize());
        SSLContext tls = TlsContexts.joinServer(credentials);
        this.server =
                ControlServer.start(
                        settings.bind(),
                        () -> TlsContexts.joinServerEngine(tls),
                        settings.threads(),
                        new Events());
        this.joinString =
                new JoinString(
                        advertisedHost(),
                        server.address().getPort(),
                        rules.job(),
                        Pin.of(credentials.certificate()),
                        settings.token());
        server.execute(this::tick);
    }

    /**
     * Starts to listen.
     *
     * @throws ConfigurationException if the address can't be bound
     */
    public static SeedServer start(SeedSettings settings) {
        try {
            return new SeedServer(settings);
        } catch (ControlFailure e) {
            throw ConfigurationException.conflict(
                    "seed address",
                    String.valueOf(settings.bind()),
                    String.valueOf(e.getMessage()));
        }
    }

    /** What workers join with. Holds the token: print it with {@code reveal()} or not at all. */
    public JoinString joinString() {
        return joinString;
    }

    /** Where it listens, with the port that was given. */
    public InetSocketAddress address() {
        return server.address();
    }

    public SeedStatus status() {
        return status;
    }

    /** Tells the seed that a rank's process is over, as its parent knows best. */
    public void reportExit(int rank, String reason) {
        server.execute(() -> step(() -> machine.handleExit(rank, reason)));
    }

    /** Ends the job on all ranks. */
    public void abort(String reason) {
        server.execute(() -> step(() -> machine.abort(reason)));
    }

    /** Frees the port and the thread. A running job goes on without its seed. */
    @Override
    public void close() {
        server.close();
    }

    private String advertisedHost() {
        String host = settings.advertisedHost();
        return host == null ? RouteAddress.reachable(server.address().getAddress()) : host;
    }

    private CertificateSigner signer() {
        return new CertificateSigner() {
            @Override
            public byte[] sign(byte[] signingRequest, long memberId) {
                NodeIdentity node = new NodeIdentity(settings.authority().jobId(), memberId);
                return Certificates.encode(
                        settings.authority()
                                .sign(signingRequest, node, settings.clock().instant()));
            }

            @Override
            public byte[] authority() {
                return Certificates.encode(settings.authority().certificate());
            }
        };
    }

    private void tick() {
        long now = settings.nanoClock().getAsLong();
        step(() -> machine.handleTick(now));
        long left = machine.nanosToNextDeadline(now);
        server.schedule(this::tick, Math.clamp(left, TICK_NANOS_MIN, TICK_NANOS_MAX));
    }

    private void step(Runnable event) {
        event.run();
        for (SeedEffect effect = machine.pollEffect();
                effect != null;
                effect = machine.pollEffect()) {
            apply(effect);
        }
        status = new SeedStatus(machine.phase(), machine.memberCount(), settings.worldSize());
    }

    private void apply(SeedEffect effect) {
        switch (effect) {
            case SeedEffect.Send send -> send(send.connection(), JoinCodec.encode(send.message()));
            case SeedEffect.SendAll all -> sendAll(all);
            case SeedEffect.Close close -> {
                ControlConnection connection = connections.remove(close.connection());
                if (connection != null) {
                    ids.remove(connection);
                    connection.closeGently();
                }
            }
            case SeedEffect.Tell tell -> tell(tell.event());
        }
    }

    private void sendAll(SeedEffect.SendAll all) {
        byte[] message;
        try {
            message = JoinCodec.encode(routed(all.message()));
        } catch (RuntimeException e) {
            machine.abort("the members' addresses can't be given out: " + e.getMessage());
            return;
        }
        all.connections().forEach(connection -> send(connection, message));
    }

    private JoinMessage routed(JoinMessage message) {
        return message instanceof JoinMessage.RosterPart part
                ? part.routed(settings.addresses())
                : message;
    }

    private void send(long id, byte[] message) {
        ControlConnection connection = connections.get(id);
        if (connection != null) {
            connection.send(message);
        }
    }

    private void tell(SeedEvent event) {
        try {
            settings.listener().accept(event);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "the seed's listener failed at " + event, e);
        }
    }

    /** Called in the seed's thread. */
    private final class Events implements ControlListener {

        @Override
        public void onOpen(ControlConnection connection) {
            long id = nextId++;
            connections.put(id, connection);
            ids.put(connection, id);
            String remote = describe(connection.remote());
            step(() -> machine.handleConnected(id, remote, settings.nanoClock().getAsLong()));
        }

        @Override
        public void onMessage(ControlConnection connection, byte[] bytes) {
            Long id = ids.get(connection);
            if (id == null) {
                return; // being closed
            }
            try {
                JoinMessage message = JoinCodec.decode(bytes, describe(connection.remote()));
                step(() -> machine.handleMessage(id, message, settings.nanoClock().getAsLong()));
            } catch (ProtocolException e) {
                step(() -> machine.handleUndecodable(id, e.problem()));
            }
        }

        @Override
        public void onClosed(ControlConnection connection, String reason) {
            Long id = ids.remove(connection);
            if (id != null) {
                connections.remove(id);
                step(() -> machine.handleClosed(id, reason));
            }
        }

        private static String describe(InetSocketAddress remote) {
            return RouteAddress.format(remote);
        }
    }
}
