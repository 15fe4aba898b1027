package io.nexar.cli.chaos;

import io.nexar.MemberId;
import io.nexar.rendezvous.AddressBook;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.net.SocketAddresses;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A bad network between the ranks of one host: it puts its own ports where they would dial each
 * other, and passes on what comes there as the {@link Weather} says. Datagrams are lost, doubled,
 * delayed and overtaken, by chance from one random seed; connections are delayed and stalled.
 *
 * <p>One thread owns all sockets but the public methods' new ones, which it takes over.
 */
public final class Relay implements AddressBook, AutoCloseable {

    /** As the ranks' own: a burst must not be lost by accident, only by the dice. */
    private static final int SOCKET_BUFFER_BYTES = 4 << 20;

    /** How long an end of the thread is waited for; it never blocks but in select. */
    private static final long JOIN_MILLIS_MAX = 2000;

    /** 128 KiB: any datagram, and a good bite of a connection. */
    private static final int SCRATCH_BYTES = 128 << 10;

    private record Route(MemberId place, PeerAddress address) {}

    /**
     * What somebody has dialled: an address of a member, or of the seed.
     *
     * @param transport of the address
     */
    public record Dialled(MemberId place, String transport) {}

    private final RelaySettings settings;
    private final long startNanos;
    private final Selector selector;
    private final Underway underway;
    private final Tally tally = new Tally();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
    private final Map<Route, PeerAddress> routes = new HashMap<>();
    private final Set<TcpConnection> connections = new LinkedHashSet<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private long streams;
    private volatile boolean isClosed;

    private Relay(RelaySettings settings) throws IOException {
        this.settings = settings;
        this.startNanos = settings.nanoClock().getAsLong();
        this.underway = new Underway(startNanos);
        this.selector = Selector.open();
        this.thread = settings.threads().newThread(this::run);
    }

    public static Relay start(RelaySettings settings) {
        try {
            Relay relay = new Relay(settings);
            relay.thread.start();
            return relay;
        } catch (IOException e) {
            throw new UncheckedIOException("the relay can't be opened", e);
        }
    }

    // ---- any thread ----

    /** QUIC goes through UDP, every other kind of address through TCP. */
    @Override
    public synchronized PeerAddress route(MemberId member, PeerAddress address) {
        if (isClosed) {
            throw new IllegalStateException("the relay is closed");
        }
        return routes.computeIfAbsent(
                new Route(member, address),
                _ ->
                        new PeerAddress(
                                address.transport(),
                                address.candidates().stream()
                                        .map(candidate ->
                                                front(member, address.transport(), candidate))
                                        .toList()));
    }

    /** Where to dial the seed instead of at {@code address}. */
    public InetSocketAddress inFrontOfSeed(InetSocketAddress address) {
        PeerAddress asked = new PeerAddress("tcp", List.of(SocketAddresses.format(address)));
        return SocketAddresses.parse(route(Weather.SEED, asked).candidates().getFirst());
    }

    public RelayCounters counters() {
        return tally.snapshot();
    }

    /** Resets these TCP connections, as a firewall does that has forgotten them. */
    public void resetConnections(Predicate<Dialled> which) {
        execute(() ->
                connections.stream()
                        .filter(connection -> which.test(connection.dialled()))
                        .toList()
                        .forEach(TcpConnection::reset));
    }

    private String front(MemberId place, String transport, String candidate) {
        InetSocketAddress target = SocketAddresses.parse(candidate);
        InetSocketAddress any = new InetSocketAddress(target.getAddress(), 0);
        try {
            return SocketAddresses.format(
                    transport.equals("quic")
                            ? openUdpFront(place, any, target)
                            : openTcpFront(new Dialled(place, transport), any, target));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the relay can't listen in front of " + candidate + ": " + e.getMessage(), e);
        }
    }

    private InetSocketAddress openUdpFront(
            MemberId member, InetSocketAddress at, InetSocketAddress target) throws IOException {
        DatagramChannel channel = openUdp(at);
        UdpFront front = new UdpFront(this, member, channel, target);
        execute(() -> register(channel, SelectionKey.OP_READ, front));
        return (InetSocketAddress) channel.getLocalAddress();
    }

    private InetSocketAddress openTcpFront(
            Dialled dialled, InetSocketAddress at, InetSocketAddress target) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        channel.configureBlocking(false);
        channel.bind(at);
        TcpFront front = new TcpFront(this, dialled, channel, target);
        execute(() -> register(channel, SelectionKey.OP_ACCEPT, front));
        return (InetSocketAddress) channel.getLocalAddress();
    }

    static DatagramChannel openUdp(InetSocketAddress at) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
        return channel.bind(at);
    }

    private void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Frees all ports, and returns when that is done. What is under way is lost. */
    @Override
    public void close() {
        isClosed = true;
        selector.wakeup();
        try {
            thread.join(JOIN_MILLIS_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- the relay's thread ----

    private void run() {
        try {
            while (!isClosed) {
                turn();
            }
        } catch (IOException | RuntimeException e) {
            settings.onFailure().accept("the relay failed: " + e);
        } finally {
            closeAll();
        }
    }

    private void turn() throws IOException {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        long now = nanos();
        underway.deliver(now);
        long wait = Math.min(underway.nanosToNext(now), pumpAll(now));
        if (wait <= 0) {
            selector.selectNow(Relay::onReady);
        } else {
            // Rounded up: late by less than 1 ms, but never busy. 0 is for ever.
            long millis = wait == Long.MAX_VALUE ? 0 : wait / TimeUnit.MILLISECONDS.toNanos(1) + 1;
            selector.select(Relay::onReady, millis);
        }
    }

    private static void onReady(SelectionKey key) {
        if (key.isValid() && key.attachment() instanceof Ready ready) {
            ready.onReady(key);
        }
    }

    private long pumpAll(long nowNanos) {
        long next = Long.MAX_VALUE;
        for (TcpConnection connection : List.copyOf(connections)) {
            next = Math.min(next, connection.pumpOrReset(nowNanos));
        }
        return next;
    }

    private void register(SelectableChannel channel, int interest, Ready ready) {
        try {
            channel.register(selector, interest, ready);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Conditions conditions(MemberId place) {
        return settings.weather().at(place, nanos() - startNanos);
    }

    long nanos() {
        return settings.nanoClock().getAsLong();
    }

    Selector selector() {
        return selector;
    }

    Underway underway() {
        return underway;
    }

    Tally tally() {
        return tally;
    }

    ByteBuffer scratch() {
        return scratch;
    }

    FaultStream newStream() {
        return new FaultStream(settings.randomSeed(), streams++);
    }

    void add(TcpConnection connection) {
        connections.add(connection);
    }

    void remove(TcpConnection connection) {
        connections.remove(connection);
    }

    private void closeAll() {
        tasks.forEach(Runnable::run); // they hold sockets that nobody else would close
        List<AutoCloseable> channels = new ArrayList<>();
        selector.keys().forEach(key -> channels.add(key.channel()));
        channels.add(selector);
        channels.forEach(Relay::closeQuietly);
    }

    static void closeQuietly(AutoCloseable channel) {
        try {
            channel.close();
        } catch (Exception e) {
            return; // it is of no use any more, closed or not
        }
    }
}
