package io.nexar.transport.net;

import io.nexar.MemberId;
import io.nexar.NexarException;
import io.nexar.transport.DialErrors;
import io.nexar.transport.Link;

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
import java.util.stream.Collectors;

/**
 * One dial of one member: its addresses are tried best first, the next one as soon as one fails or
 * has been silent for a moment (RFC 8305, "happy eyeballs"). The first address whose owner has
 * shown the right certificate wins; only there a link is made, so the peer never sees two. One
 * deadline bounds it all, and the error tells each address and what became of it. The endpoint's
 * thread.
 *
 * @param <A> the attempt at one address
 */
public abstract class RacingDial<A extends RacingDial.Attempt> {
    /** One address that is being tried. */
    public interface Attempt {
        InetSocketAddress remote();

        /** Nothing is to come of it. */
        void abandon(String reason);
    }

    /**
     * Whom, and for how long.
     *
     * @param own the address that this member is bound to
     */
    public record Request(
            MemberId peer, InetAddress own, long timeoutNanos, CompletableFuture<Link> result) {}

    /** RFC 8305, section 5: the recommended delay between attempts. */
    private static final long STAGGER_NANOS = 250_000_000;

    private final Request request;
    private final Map<String, String> outcomes = new LinkedHashMap<>();
    private final Queue<InetSocketAddress> untried = new ArrayDeque<>();
    private final List<A> trying = new ArrayList<>();
    private @Nullable A first;
    private @Nullable Runnable stagger;
    private @Nullable Runnable deadline;
    private boolean isOver;

    protected RacingDial(Request request) {
        this.request = request;
    }

    /**
     * Tries this address: {@link #begun} or {@link #notBegun} says what came of it, perhaps before
     * this returns.
     */
    protected abstract void begin(InetSocketAddress address);

    /** Runs the task after that time; the answer takes it back. */
    protected abstract Runnable after(long delayNanos, Runnable task);

    /** Nothing more comes from this dial. */
    protected abstract void onEnd();

    public final MemberId peer() {
        return request.peer();
    }

    public final void start(List<String> candidates) {
        candidates.forEach(this::sort);
        deadline = after(request.timeoutNanos(), this::expire);
        tryNext();
    }

    private void sort(String candidate) {
        InetAddress own = request.own();
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
        if (address != null) {
            outcomes.put(SocketAddresses.format(address), "no answer");
            stagger = after(STAGGER_NANOS, this::tryNext);
            begin(address);
        } else if (trying.isEmpty()) {
            fail(DialErrors.refused(peer(), told()));
        }
    }

    protected final void begun(A attempt) {
        trying.add(attempt);
    }

    protected final void notBegun(InetSocketAddress address, String reason) {
        outcomes.put(SocketAddresses.format(address), reason);
        tryNext();
    }

    /**
     * Whether this address is the first whose owner is the right one; the others are dropped.
     *
     * @param otherwise what is told of it if no link comes of it
     */
    protected final boolean isFirst(A attempt, String otherwise) {
        if (isOver || first != null) {
            attempt.abandon("another address was faster");
            return false;
        }
        first = attempt;
        cancel(stagger);
        untried.clear();
        abandonAllBut(attempt, "another address was faster");
        outcomes.put(SocketAddresses.format(attempt.remote()), otherwise);
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // An attempt is itself alone.
    public final void onFailed(A attempt, String reason) {
        if (isOver || !trying.remove(attempt)) {
            return;
        }
        outcomes.put(SocketAddresses.format(attempt.remote()), reason);
        if (attempt == first) {
            fail(DialErrors.refused(peer(), told()));
        } else if (first == null) {
            tryNext();
        }
    }

    protected final void succeed(Link link) {
        end();
        if (!request.result().complete(link)) {
            link.close("nobody waits for it any more");
        }
    }

    private void expire() {
        NexarException error = DialErrors.timedOut(peer(), told(), request.timeoutNanos());
        abandonAllBut(null, "the dial's time is up");
        fail(error);
    }

    /** The endpoint is closing. */
    public final void abort(String reason) {
        abandonAllBut(null, reason);
        fail(DialErrors.refused(peer(), reason));
    }

    @SuppressWarnings("ReferenceEquality") // An attempt is itself alone.
    private void abandonAllBut(@Nullable A winner, String reason) {
        List<A> losers = trying.stream().filter(attempt -> attempt != winner).toList();
        trying.removeAll(losers);
        losers.forEach(attempt -> attempt.abandon(reason));
    }

    private void fail(NexarException error) {
        if (!isOver) {
            end();
            request.result().completeExceptionally(error);
        }
    }

    private void end() {
        isOver = true;
        cancel(stagger);
        cancel(deadline);
        onEnd();
    }

    private String told() {
        return outcomes.isEmpty()
                ? "it has no address"
                : outcomes.entrySet().stream()
                        .map(tried -> tried.getKey() + ": " + tried.getValue())
                        .collect(Collectors.joining("; "));
    }

    private static void cancel(@Nullable Runnable timer) {
        if (timer != null) {
            timer.run();
        }
    }
}
