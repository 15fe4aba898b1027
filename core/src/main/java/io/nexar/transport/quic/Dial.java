package io.nexar.transport.quic;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.util.concurrent.Future;
import io.nexar.MemberId;
import io.nexar.NexarException;
import io.nexar.transport.DialErrors;
import io.nexar.transport.Link;
import io.nexar.transport.net.SocketAddresses;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One dial of one member: its addresses are tried best first, the next one as soon as one fails or
 * has been silent for a moment (RFC 8305, "happy eyeballs"). The first address whose owner has
 * shown the right certificate wins; only there lanes are opened, so the peer never sees two links.
 * One deadline bounds it all, and the error tells each address and what became of it. The event
 * loop's.
 */
final class Dial {
    /** RFC 8305, section 5: the recommended delay between attempts. */
    static final long STAGGER_MILLIS = 250;

    private final QuicEndpoint endpoint;
    private final MemberId peer;
    private final long timeoutNanos;
    private final CompletableFuture<Link> result;
    private final Map<String, String> outcomes = new LinkedHashMap<>();
    private final Queue<InetSocketAddress> untried = new ArrayDeque<>();
    private final List<DialledConnection> trying = new ArrayList<>();
    private @Nullable DialledConnection first;
    private @Nullable Future<?> stagger;
    private @Nullable Future<?> deadline;
    private boolean isOver;

    Dial(QuicEndpoint endpoint, MemberId peer, long timeoutNanos, CompletableFuture<Link> result) {
        this.endpoint = endpoint;
        this.peer = peer;
        this.timeoutNanos = timeoutNanos;
        this.result = result;
    }

    MemberId peer() {
        return peer;
    }

    void start(List<String> candidates) {
        candidates.forEach(this::sort);
        deadline = loop().schedule(this::expire, timeoutNanos, TimeUnit.NANOSECONDS);
        tryNext();
    }

    private void sort(String candidate) {
        InetAddress own = endpoint.settings().bind();
        try {
            InetSocketAddress address = SocketAddresses.parse(candidate);
            if (SocketAddresses.isSameFamily(own, address.getAddress())) {
                outcomes.put(candidate, "not tried");
                untried.add(address);
            } else {
                outcomes.put(
                        candidate,
                        "is %s, while this member is bound to %s, which is %s"
                                .formatted(
                                        SocketAddresses.family(address.getAddress()),
                                        own.getHostAddress(),
                                        SocketAddresses.family(own)));
            }
        } catch (IllegalArgumentException e) {
            outcomes.put(candidate, String.valueOf(e.getMessage()));
        }
    }

    private void tryNext() {
        cancel(stagger);
        InetSocketAddress address = untried.poll();
        if (address == null) {
            if (trying.isEmpty()) {
                fail(DialErrors.refused(peer, told()));
            }
            return;
        }
        outcomes.put(SocketAddresses.format(address), "no answer");
        DialledConnection connection = new DialledConnection(endpoint, this, address);
        trying.add(connection);
        stagger = loop().schedule(this::tryNext, STAGGER_MILLIS, TimeUnit.MILLISECONDS);
        QuicChannel.newBootstrap(endpoint.dialling())
                .handler(connection)
                .streamHandler(new UnusedStreamHandler())
                .remoteAddress(address)
                .connect()
                .addListener((Future<QuicChannel> done) -> connection.onConnect(done));
    }

    /** Whether this address is the first whose owner is the right one; the others are dropped. */
    boolean isFirst(DialledConnection connection) {
        if (isOver || first != null) {
            connection.refuse("another address was faster");
            return false;
        }
        first = connection;
        cancel(stagger);
        untried.clear();
        abandonAllBut(connection, "another address was faster");
        outcomes.put(SocketAddresses.format(connection.remote()), "the lanes were not accepted");
        return true;
    }

    void onFailed(DialledConnection connection, String reason) {
        if (isOver || !trying.remove(connection)) {
            return;
        }
        outcomes.put(SocketAddresses.format(connection.remote()), reason);
        if (connection == first) {
            fail(DialErrors.refused(peer, told()));
        } else if (first == null) {
            tryNext();
        }
    }

    void onLink(QuicLink link) {
        end();
        endpoint.add(link);
        if (!result.complete(link)) {
            link.close("nobody waits for it any more");
        }
    }

    private void expire() {
        NexarException error = DialErrors.timedOut(peer, told(), timeoutNanos);
        abandonAllBut(null, "the dial's time is up");
        fail(error);
    }

    /** The endpoint is closing. */
    void abort(String reason) {
        abandonAllBut(null, reason);
        fail(DialErrors.refused(peer, reason));
    }

    private void abandonAllBut(@Nullable DialledConnection winner, String reason) {
        List<DialledConnection> losers = List.copyOf(trying);
        trying.removeIf(connection -> connection != winner);
        losers.stream()
                .filter(connection -> connection != winner)
                .forEach(connection -> connection.refuse(reason));
    }

    private void fail(NexarException error) {
        if (!isOver) {
            end();
            result.completeExceptionally(error);
        }
    }

    private void end() {
        isOver = true;
        cancel(stagger);
        cancel(deadline);
        endpoint.ended(this);
    }

    private String told() {
        return outcomes.isEmpty()
                ? "it has no address"
                : outcomes.entrySet().stream()
                        .map(tried -> tried.getKey() + ": " + tried.getValue())
                        .collect(Collectors.joining("; "));
    }

    private EventLoop loop() {
        return endpoint.loop();
    }

    private static void cancel(@Nullable Future<?> timer) {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
