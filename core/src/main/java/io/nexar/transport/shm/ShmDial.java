package io.nexar.transport.shm;

import io.nexar.MemberId;
import io.nexar.transport.DialErrors;
import io.nexar.transport.Link;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * One dial: makes the memory of a link, leaves word of it on the peer's doorstep, and waits for the
 * answer in that memory. Made by whoever dials; then the endpoint's thread's.
 */
final class ShmDial {
    private final ShmEndpoint endpoint;
    private final MemberId peer;
    private final long timeoutNanos;
    private final long deadlineNanos;
    private final Queue<String> untried;
    private final List<String> outcomes = new ArrayList<>();
    private final CompletableFuture<Link> result = new CompletableFuture<>();
    private @Nullable Visit visit;

    /** What there is of a link before it is one. */
    private record Visit(
            ShmAddress address,
            SharedMemory memory,
            LinkMemory shared,
            Doorstep there,
            Arena arena) {}

    private boolean hasLeftWord;

    ShmDial(ShmEndpoint endpoint, MemberId peer, List<String> candidates, long timeoutNanos) {
        this.endpoint = endpoint;
        this.peer = peer;
        this.timeoutNanos = timeoutNanos;
        this.deadlineNanos = endpoint.now() + timeoutNanos;
        this.untried = new ArrayDeque<>(candidates);
    }

    CompletableFuture<Link> result() {
        return result;
    }

    long leftNanos() {
        return deadlineNanos - endpoint.now();
    }

    boolean hasLeftWord() {
        return hasLeftWord;
    }

    /** Goes as far as it can; true if the dial is over. */
    boolean isOverAfterStep() {
        while (!result.isDone()) {
            if (visit == null) {
                tryNext();
            } else if (!isAnswered(visit)) {
                break;
            }
        }
        return result.isDone();
    }

    private void tryNext() {
        String candidate = untried.poll();
        if (candidate == null) {
            refuse(outcomes.isEmpty() ? "it has no address" : String.join("; ", outcomes));
            return;
        }
        try {
            visit = visit(ShmAddress.parse(candidate));
            hasLeftWord = false;
        } catch (ShmException e) {
            outcomes.add(String.valueOf(e.getMessage()));
        }
    }

    @SuppressWarnings("MustBeClosedChecker") // The link closes it, if there comes to be one.
    private Visit visit(ShmAddress address) {
        String obstacle = endpoint.own().host().obstacle(address.host());
        if (!obstacle.isEmpty()) {
            throw new ShmException(obstacle);
        }
        if (peer.equals(endpoint.self())) {
            throw new ShmException("that is this member itself");
        }
        Arena arena = Arena.ofShared();
        try {
            Doorstep there = Doorstep.visit(address, arena);
            if (there.member() != peer.id()) {
                throw new ShmException(address + " is " + new MemberId(there.member()));
            }
            return visit(address, there, arena);
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private boolean isAnswered(Visit current) {
        int answer = current.shared.answer();
        if (answer == LinkMemory.ACCEPTED) {
            succeed(current);
            return true;
        }
        if (answer != LinkMemory.WAITING) {
            outcomes.add(current.address + " refuses: " + current.shared.answerReason());
            end(current);
            return true;
        }
        if (leftNanos() <= 0) {
            // The peer may have accepted in this very moment.
            if (current.shared.tryAnswer(LinkMemory.ABANDONED, "the dial's time is up")) {
                String tried = current.address + ": no answer";
                result.completeExceptionally(DialErrors.timedOut(peer, tried, timeoutNanos));
                end(current);
            }
            return true;
        }
        if (!hasLeftWord) {
            hasLeftWord = current.there.tryLeave(endpoint.own().pid(), current.memory.descriptor());
        }
        return false;
    }

    private Visit visit(ShmAddress address, Doorstep there, Arena arena) {
        SharedMemory memory = SharedMemory.make(LinkMemory.BYTES);
        try {
            LinkMemory shared = LinkMemory.map(memory, arena);
            endpoint.describe(shared, 0);
            shared.write(
                    new LinkMemory.Letter(
                            endpoint.self().id(), peer.id(), address.token(), endpoint.own()));
            return new Visit(address, memory, shared, there, arena);
        } catch (RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    private void succeed(Visit current) {
        visit = null;
        current.memory.close();
        ShmLink.Mapped mapped = new ShmLink.Mapped(current.shared, 0, current.there, current.arena);
        ShmLink.Peers peers = new ShmLink.Peers(endpoint.self(), peer, current.address.pid());
        ShmLink link = endpoint.link(peers, mapped);
        if (!result.complete(link)) {
            link.close("nobody waits for it any more");
        }
    }

    /** Fails the dial: there is no candidate left, or the endpoint closes. */
    void refuse(String reason) {
        result.completeExceptionally(DialErrors.refused(peer, reason));
        Visit current = visit;
        if (current != null) {
            current.shared.tryAnswer(LinkMemory.ABANDONED, reason);
            end(current);
        }
    }

    private void end(Visit current) {
        visit = null;
        current.there.takeBack(endpoint.own().pid(), current.memory.descriptor());
        current.memory.close();
        current.arena.close();
    }
}
