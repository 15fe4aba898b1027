package io.nexar.transport.quic;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.quic.QuicChannel;
import io.nexar.MemberId;
import io.nexar.security.NodeTrust;
import io.nexar.transport.DialErrors;
import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.net.RacingDial;
import io.nexar.transport.net.SocketAddresses;
import io.nexar.transport.net.SocketLoop;
import io.nexar.transport.net.TrustWitness;
import io.nexar.transport.net.TurnKeeper;

import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A member's QUIC sockets, the one thread that serves them, and the links over them. {@code
 * connect} and {@code close} may come from any thread; everything else here is the event loop's.
 */
final class QuicEndpoint implements Endpoint {
    private static final System.Logger LOG = System.getLogger(QuicEndpoint.class.getName());

    private final EndpointSettings settings;
    private final NodeTrust trust;
    private final TrustWitness witness;
    private final Strangers strangers;
    private final SocketLoop socketLoop;
    private final QuicCodecs codecs;
    private final QuicSockets sockets;
    private final Pump pump;
    private final Set<QuicLink> links = ConcurrentHashMap.newKeySet();
    private final Set<AcceptedConnection> pending = new HashSet<>();
    private final Set<Dial> dials = new HashSet<>();
    private volatile boolean isClosed;

    QuicEndpoint(
            EndpointSettings settings,
            NodeTrust trust,
            LongSupplier nanoClock,
            Strangers strangers) {
        this.settings = settings;
        this.trust = trust;
        this.witness = new TrustWitness(trust);
        this.strangers = strangers;
        this.socketLoop = new SocketLoop(settings.threads());
        this.pump = new Pump(socketLoop.keeper());
        this.codecs = new QuicCodecs(settings, witness);
        try {
            this.sockets = bind(nanoClock);
        } catch (RuntimeException e) {
            socketLoop.close();
            throw e;
        }
        loop().scheduleAtFixedRate(
                        this::keepAlive,
                        QuicCodecs.KEEP_ALIVE_SECONDS,
                        QuicCodecs.KEEP_ALIVE_SECONDS,
                        TimeUnit.SECONDS);
    }

    private QuicSockets bind(LongSupplier nanoClock) {
        ChannelHandler connections =
                new ChannelInitializer<QuicChannel>() {
                    @Override
                    protected void initChannel(QuicChannel channel) {
                        channel.pipeline().addLast(new AcceptedConnection(QuicEndpoint.this));
                    }
                };
        return QuicSockets.bind(
                settings,
                socketLoop,
                codecs.datagramBytes(),
                new QuicSockets.Codecs() {
                    @Override
                    public ChannelHandler acceptor() {
                        return codecs.acceptor(connections, nanoClock);
                    }

                    @Override
                    public ChannelHandler dialler() {
                        return codecs.dialler();
                    }

                    @Override
                    public List<ChannelHandler> between() {
                        return List.of(codecs.segments(), new ReadEnds(pump));
                    }

                    @Override
                    public ChannelHandler failures() {
                        return new SocketFailures(
                                nanoClock, text -> LOG.log(System.Logger.Level.WARNING, text));
                    }
                });
    }

    EndpointSettings settings() {
        return settings;
    }

    Strangers strangers() {
        return strangers;
    }

    NodeTrust trust() {
        return trust;
    }

    TrustWitness witness() {
        return witness;
    }

    EventLoop loop() {
        return socketLoop.loop();
    }

    Segments segments() {
        return codecs.segments();
    }

    Pump pump() {
        return pump;
    }

    @Override
    public TurnKeeper sleeper() {
        return socketLoop.keeper();
    }

    Channel dialling() {
        return sockets.dialling();
    }

    @Override
    public PeerAddress address() {
        return new PeerAddress(
                QuicTransport.NAME, List.of(SocketAddresses.format(local(sockets.accepting()))));
    }

    static InetSocketAddress local(Channel channel) {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public CompletableFuture<Link> connect(MemberId peer, PeerAddress address, long timeoutNanos) {
        CompletableFuture<Link> result = new CompletableFuture<>();
        try {
            loop().execute(() -> dial(peer, address, timeoutNanos, result));
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(DialErrors.refused(peer, closeReason()));
        }
        return result;
    }

    private void dial(
            MemberId peer, PeerAddress address, long timeoutNanos, CompletableFuture<Link> result) {
        if (isClosed) {
            result.completeExceptionally(DialErrors.refused(peer, closeReason()));
            return;
        }
        Dial dial =
                new Dial(this, new RacingDial.Request(peer, settings.bind(), timeoutNanos, result));
        dials.add(dial);
        dial.start(address.candidates());
    }

    void ended(Dial dial) {
        dials.remove(dial);
    }

    boolean tryAdmit(AcceptedConnection connection) {
        return !isClosed && pending.size() < strangers.pendingMax() && pending.add(connection);
    }

    /** How many connections are on the way to being links. */
    int pendingCount() {
        return pending.size();
    }

    void settled(AcceptedConnection connection) {
        pending.remove(connection);
    }

    void handOver(QuicLink link) {
        add(link);
        try {
            settings.onLink().accept(link);
            settings.wakeUp().run();
        } catch (RuntimeException e) {
            link.close("this member could not take the link: " + e);
        }
    }

    void add(QuicLink link) {
        links.add(link);
        if (isClosed) {
            link.close(closeReason());
        }
    }

    void tellRefused(String address, String reason) {
        strangers
                .refusals()
                .accept("connection from " + address + " to " + settings.self() + ": " + reason);
    }

    void keepAlive() {
        links.removeIf(QuicLink::isClosed);
        links.forEach(QuicLink::keepAlive);
    }

    private String closeReason() {
        return "the endpoint of " + settings.self() + " was closed";
    }

    @Override
    public void close() {
        isClosed = true;
        links.forEach(link -> link.close(closeReason()));
        try {
            loop().execute(this::closeAll);
        } catch (RejectedExecutionException e) {
            // The loop is gone, and with it what it served: a second close.
        }
        socketLoop.close();
        links.forEach(QuicLink::forget);
        links.clear();
    }

    private void closeAll() {
        List.copyOf(dials).forEach(dial -> dial.abort(closeReason()));
        List.copyOf(pending).forEach(connection -> connection.refuse(closeReason()));
        sockets.close();
    }
}
