package io.nexar.transport.tcp;

import io.nexar.MemberId;
import io.nexar.NexarException;
import io.nexar.transport.DialErrors;
import io.nexar.transport.Link;
import io.nexar.transport.net.SocketAddresses;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * One dial of one member: its addresses are tried best first, the next one as soon as one fails or
 * has been silent for a moment (RFC 8305, "happy eyeballs"). The first address whose owner has
 * shown the right certificate wins; only there a hello is said, so the peer never sees two links.
 * One deadline bounds it all, and the error tells each address and what became of it. The
 * endpoint's thread.
 */
final class Dial {
    /** RFC 8305, section 5: the recommended delay between attempts. */
    private static final long STAGGER_NANOS = 250_000_000;

    private final TcpEndpoint endpoint;
    private final MemberId peer;
    private final long timeoutNanos;
    private final CompletableFuture<Link> result;
    private final Map<String, String> outcomes = new LinkedHashMap<>();
    private final Queue<InetSocketAddress> untried = new ArrayDeque<>();
    private final List<DialledGreeting> trying = new ArrayList<>();
    private @Nullable DialledGreeting first;
    private SelectorThread.@Nullable Timer stagger;
    private SelectorThread.@Nullable Timer deadline;
    private boolean isOver;

    Dial(TcpEndpoint endpoint, MemberId peer, long timeoutNanos, CompletableFuture<Link> result) {
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
        deadline = endpoint.thread().schedule(timeoutNanos, this::expire);
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
        while (address != null && !isStarted(address)) {
            address = untried.poll();
        }
        if (address != null) {
            stagger = endpoint.thread().schedule(STAGGER_NANOS, this::tryNext);
        } else if (trying.isEmpty()) {
            fail(DialErrors.refused(peer, told()));
        }
    }

    private boolean isStarted(InetSocketAddress address) {
        try {
            outcomes.put(SocketAddresses.format(address), "no answer");
            trying.add(DialledGreeting.start(endpoint, this, address));
            return true;
        } catch (IOException | RuntimeException e) {
            outcomes.put(SocketAddresses.format(address), TlsWords.of(e));
            return false;
        }
    }

    /** Whether this address is the first whose owner is the right one; the others are dropped. */
    boolean isFirst(DialledGreeting greeting) {
        if (isOver || first != null) {
            greeting.fail("another address was faster");
            return false;
        }
        first = greeting;
        cancel(stagger);
        untried.clear();
        abandonAllBut(greeting, "another address was faster");
        outcomes.put(SocketAddresses.format(greeting.remote()), "it did not answer the hello");
        return true;
    }

    void onFailed(DialledGreeting greeting, String reason) {
        if (isOver || !trying.remove(greeting)) {
            return;
        }
        outcomes.put(SocketAddresses.format(greeting.remote()), reason);
        if (greeting == first) {
            fail(DialErrors.refused(peer, told()));
        } else if (first == null) {
            tryNext();
        }
    }

    void onLink(TcpLink link) {
        end();
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

    private void abandonAllBut(@Nullable DialledGreeting winner, String reason) {
        List<DialledGreeting> losers = List.copyOf(trying);
        trying.removeIf(greeting -> greeting != winner);
        losers.stream()
                .filter(greeting -> greeting != winner)
                .forEach(greeting -> greeting.fail(reason));
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

    private static void cancel(SelectorThread.@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }
}
