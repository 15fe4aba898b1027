package io.nexar.transport.tcp;

import io.nexar.MemberId;
import io.nexar.security.NodeTrust;
import io.nexar.transport.DialErrors;
import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.Sleeper;
import io.nexar.transport.net.FreePorts;
import io.nexar.transport.net.RacingDial;
import io.nexar.transport.net.SocketAddresses;
import io.nexar.transport.net.TrustWitness;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A member's TCP socket that accepts, the links, and the one thread that greets new peers and
 * watches quiet links. {@code connect} and {@code close} may come from any thread; everything else
 * here is that thread's.
 */
final class TcpEndpoint implements Endpoint {
    private final EndpointSettings settings;
    private final Protection protection;
    private final Limits limits;
    private final Consumer<String> refusals;
    private final NodeTrust trust;
    private final TrustWitness witness;
    private final TlsEngines engines;
    private final SelectorThread thread;
    private final LinkWatches watches;
    private final Acceptor acceptor;
    private final Sleeper sleeper;
    private final Set<Dial> dials = new HashSet<>();
    private volatile boolean isClosed;

    /** What a transport gives to each of its endpoints. */
    record Parts(
            NodeTrust trust,
            LongSupplier nanoClock,
            Protection protection,
            Limits limits,
            Consumer<String> refusals) {}

    TcpEndpoint(EndpointSettings settings, Parts parts) {
        InetAddress bind = settings.bind();
        if (bind.isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    bind + " is no address that peers can dial; bind to one interface's");
        }
        this.settings = settings;
        this.protection = parts.protection();
        this.limits = parts.limits();
        this.refusals = parts.refusals();
        this.trust = parts.trust();
        this.witness = new TrustWitness(trust);
        this.engines = new TlsEngines(settings.requireIdentity(), witness, protection);
        this.thread = new SelectorThread(parts.nanoClock());
        this.acceptor = listen();
        this.watches = new LinkWatches(thread, settings.wakeUp(), limits.lookNanos());
        this.sleeper = new WatchingSleeper(watches);
        thread.execute(acceptor::start);
        thread.start(settings.threads());
    }

    private Acceptor listen() {
        try {
            return new Acceptor(
                    this, new FreePorts(settings.bind(), settings.config().ports("nexar.ports")));
        } catch (RuntimeException e) {
            thread.abandon();
            throw e;
        }
    }

    EndpointSettings settings() {
        return settings;
    }

    Protection protection() {
        return protection;
    }

    Limits limits() {
        return limits;
    }

    NodeTrust trust() {
        return trust;
    }

    TrustWitness witness() {
        return witness;
    }

    TlsEngines engines() {
        return engines;
    }

    SelectorThread thread() {
        return thread;
    }

    Acceptor acceptor() {
        return acceptor;
    }

    @Override
    public PeerAddress address() {
        return new PeerAddress(
                protection.transport(), List.of(SocketAddresses.format(acceptor.address())));
    }

    @Override
    public Sleeper sleeper() {
        return sleeper;
    }

    @Override
    public CompletableFuture<Link> connect(MemberId peer, PeerAddress address, long timeoutNanos) {
        CompletableFuture<Link> result = new CompletableFuture<>();
        if (!thread.execute(() -> dial(peer, address, timeoutNanos, result))) {
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

    void settled(AcceptedGreeting greeting) {
        acceptor.settled(greeting);
    }

    TcpLink makeLink(Greeting greeting, TcpLink.Peers peers) {
        LinkWatch watch = new LinkWatch(watches, greeting.channel(), greeting.key());
        TcpLink link =
                new TcpLink(
                        peers,
                        greeting.wire(protection, engines.isNative()),
                        watch,
                        limits.windowBytes());
        watch.start(link);
        if (isClosed) {
            link.close(closeReason());
        }
        return link;
    }

    void handOver(TcpLink link) {
        try {
            settings.onLink().accept(link);
            settings.wakeUp().run();
        } catch (RuntimeException e) {
            link.close("this member could not take the link: " + e);
        }
    }

    /** Ends a connection that will be no link, letting the peer read what was said to it. */
    void part(SocketChannel channel, @Nullable SelectionKey key) {
        Parting.start(thread, channel, key);
    }

    void tellRefused(String address, String reason) {
        refusals.accept("connection from " + address + " to " + settings.self() + ": " + reason);
    }

    private String closeReason() {
        return "the endpoint of " + settings.self() + " was closed";
    }

    @Override
    public void close() {
        isClosed = true;
        if (thread.execute(this::closeAll)) {
            thread.awaitEnd();
        }
    }

    private void closeAll() {
        List.copyOf(dials).forEach(dial -> dial.abort(closeReason()));
        acceptor.close(closeReason());
        watches.all().forEach(watch -> watch.watched().close(closeReason()));
        watches.endWhenDone();
    }
}
