package io.nexar.transport.shm;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.memory.ClosedArena;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One end of a link over {@link LinkMemory}: a ring for each lane and direction, polled by the
 * calling thread, without a system call as long as the peer is awake.
 *
 * <p>The side that closes gets no more frames; the other still gets those that were whole before.
 * The memory is unmapped by the poll that finds the link closed, or by the endpoint. Whoever looks
 * at it meanwhile in another thread gets the arena's exception and takes it for the close that it
 * is.
 */
final class ShmLink implements Link {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    /** Why the link is down, and whether it was this side that took it down. */
    private record Down(boolean isHere, String reason) {}

    /** Who is at the ends, for messages. */
    record Peers(MemberId self, MemberId peer, int pid) {
        @Override
        public String toString() {
            return "shm link of " + self + " to " + peer;
        }
    }

    /**
     * What the two ends share.
     *
     * @param side 0 on the dialler's end, 1 on the acceptor's
     * @param bell of the peer
     * @param arena of both, closed by the link
     */
    record Mapped(LinkMemory memory, int side, Doorstep bell, Arena arena) {}

    private final Peers peers;
    private final Mapped mapped;
    private final Runnable wakeUp;
    private final Consumer<ShmLink> onReleased;
    private final MemorySegment theirs;
    private final LendRule lendRule;
    private final OutRing[] outgoing = new OutRing[Lane.COUNT];
    private final InRing[] incoming = new InRing[Lane.COUNT];
    private final AtomicReference<@Nullable Down> down = new AtomicReference<>();
    private boolean hasUnflushed; // the progress thread's, as all that is not marked otherwise
    private boolean hasAside;
    private @Nullable InRing reading;
    private volatile boolean isLending;

    /** Whether a lane had no room: who was refused tries again once a poll has found some. */
    private volatile boolean isWanting;

    private volatile boolean hasSeenDown;
    private final AtomicBoolean isReleased = new AtomicBoolean();

    ShmLink(Peers peers, Mapped mapped, Runnable wakeUp, Consumer<ShmLink> onReleased) {
        this.peers = peers;
        this.mapped = mapped;
        this.wakeUp = wakeUp;
        this.onReleased = onReleased;
        LinkMemory memory = mapped.memory;
        this.theirs = memory.side(1 - mapped.side);
        this.lendRule = new LendRule(memory, mapped.side);
        PeerMemory lender = new PeerMemory(peers.pid, memory.area(1 - mapped.side), mapped.arena);
        for (Lane lane : Lane.values()) {
            int number = lane.ordinal();
            outgoing[number] = new OutRing(memory.outgoing(mapped.side, lane));
            incoming[number] = new InRing(memory.incoming(mapped.side, lane), lender, this::isDown);
        }
        memory.probe(mapped.side, lender);
    }

    LinkMemory memory() {
        return mapped.memory;
    }

    @Override
    public MemberId peer() {
        return peers.peer();
    }

    @Override
    public String transport() {
        return ShmTransport.NAME;
    }

    @Override
    public SendResult trySend(
            Lane lane,
            FrameHeader header,
            MemorySegment payload,
            SendListener listener,
            long token) {
        header.requireLengthOf(payload);
        if (down.get() != null) {
            return SendResult.REFUSED;
        }
        OutRing ring = outgoing[lane.ordinal()];
        try {
            if (lendRule.isLent(ring, payload)) {
                ring.lend(header, payload, listener, token);
                isLending = true;
                hasUnflushed = true;
                return SendResult.PENDING;
            }
            if (!ring.offer(header, payload)) {
                isWanting = true;
                return SendResult.REFUSED;
            }
        } catch (ProtocolException e) {
            close(String.valueOf(e.getMessage()));
            return SendResult.REFUSED;
        } catch (IllegalStateException e) {
            requireReleased(e);
            return SendResult.REFUSED;
        }
        hasUnflushed = true;
        if (ring.hasAside()) {
            hasAside = true;
            isWanting = true;
        }
        return SendResult.SENT;
    }

    @Override
    public void flush() {
        if (hasUnflushed) {
            hasUnflushed = false;
            ask(this::ringPeer, false);
        }
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        if (isReleased.get()) {
            hasSeenDown = true;
            return reap(true);
        }
        try {
            boolean isDown = isDown();
            int count = isLending ? reap(isDown) : 0;
            count += deliver(handler, frameLimit);
            if (isWanting) {
                count += findRoom();
            }
            if (isDown) {
                hasSeenDown = true;
                if (isClosed()) {
                    release();
                }
            }
            return count;
        } catch (Throwable failure) {
            if (failure instanceof IllegalStateException e && isReleased.get()) {
                requireReleased(e);
                return 0;
            }
            String reason = "the receiver refused a frame: " + failure.getMessage();
            close(reason);
            if (!isClosedHere()) {
                down.set(new Down(true, reason)); // the peer had closed; no frame follows any more
            }
            throw failure;
        }
    }

    /** Looks at the peer's close before the rings: what it sent before is then in them. */
    private boolean isDown() {
        if (down.get() == null && hasPeerClosed()) {
            String reason = mapped.memory.closeReason(1 - mapped.side);
            down.compareAndSet(null, new Down(false, reason));
        }
        return down.get() != null;
    }

    private boolean hasPeerClosed() {
        return (int) INT.getAcquire(theirs, (long) LinkMemory.CLOSED_AT) != 0;
    }

    /** Tells whose memory is free; all of them, if nobody reads it any more. */
    private int reap(boolean isDown) {
        int told = 0;
        boolean isLeft = false;
        for (OutRing ring : outgoing) {
            told += isDown ? ring.withdraw() : ring.reap();
            isLeft |= ring.isLending();
        }
        isLending = isLeft;
        return told;
    }

    private int findRoom() {
        int found = 0;
        boolean isLeft = hasAside;
        for (OutRing ring : outgoing) {
            found += ring.takeRoomAgain() ? 1 : 0;
            isLeft |= ring.isWanting();
        }
        isWanting = isLeft;
        return found;
    }

    private int deliver(FrameHandler handler, int limit) {
        int count = 0;
        for (InRing ring : incoming) {
            if (ring.mayDeliver() && count < limit) {
                count += deliver(ring, handler, limit - count);
            }
        }
        if (hasAside && !isClosedHere()) {
            pump();
        }
        return count;
    }

    private int deliver(InRing ring, FrameHandler handler, int limit) {
        int count = 0;
        boolean isMore = true;
        reading = ring;
        while (isMore && count < limit && !isClosedHere() && ring.tryDeliver(this, handler)) {
            count++;
            if (isLending) {
                count += reap(false); // what comes next may need a place that was lent
            }
            isMore = ring.mayHaveMore();
        }
        if (ring.giveBack()) {
            ringPeer();
        }
        return count;
    }

    private void pump() {
        boolean isLeft = false;
        for (OutRing ring : outgoing) {
            isLeft |= !ring.pump();
        }
        hasAside = isLeft;
        ringPeer();
    }

    @Override
    public boolean finishReading() {
        InRing ring = reading;
        return ring == null || ring.finishReading();
    }

    private boolean isClosedHere() {
        Down seen = down.get();
        return seen != null && seen.isHere();
    }

    @Override
    public long queuedBytes() {
        long[] bytes = new long[1];
        ask(
                () -> {
                    for (OutRing ring : outgoing) {
                        bytes[0] += ring.queuedBytes();
                    }
                    return true;
                },
                false);
        return bytes[0];
    }

    @Override
    public boolean isReady() {
        return !hasSeenDown && (down.get() != null || ask(this::hasPeerClosed, false))
                || isLending && ask(this::hasReapable, false)
                || isWanting && ask(this::hasRoomAgain, false)
                || !isClosedHere() && ask(this::hasArrived, false);
    }

    private boolean hasRoomAgain() {
        for (OutRing ring : outgoing) {
            if (ring.hasRoomAgain()) {
                return true;
            }
        }
        return false;
    }

    private boolean hasReapable() {
        for (OutRing ring : outgoing) {
            if (ring.hasReapable()) {
                return true;
            }
        }
        return false;
    }

    private boolean hasArrived() {
        for (InRing ring : incoming) {
            if (ring.isReady()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isClosed() {
        return !isLending
                && ask(this::isDown, true)
                && (isClosedHere() || !ask(this::hasArrived, false));
    }

    /** The answer, or that one where there is no memory to look at any more. */
    private boolean ask(BooleanSupplier question, boolean otherwise) {
        if (isReleased.get()) {
            return otherwise;
        }
        try {
            return question.getAsBoolean();
        } catch (IllegalStateException e) {
            requireReleased(e);
            return otherwise;
        }
    }

    @Override
    public @Nullable String closeCause() {
        ask(this::isDown, true);
        Down seen = down.get();
        return seen == null
                ? null
                : peers + (seen.isHere() ? ", closed here: " : ": ") + seen.reason();
    }

    @Override
    public void close(String reason) {
        if (tryClose(reason)) {
            wakeUp.run();
        }
    }

    /** The peer is told first: once the link is down, a poll may unmap what we tell it with. */
    private synchronized boolean tryClose(String reason) {
        if (down.get() != null) {
            return false;
        }
        mapped.memory.writeClose(mapped.side, reason);
        ringPeer();
        return down.compareAndSet(null, new Down(true, reason));
    }

    private boolean ringPeer() {
        mapped.bell.ring();
        return true;
    }

    /** Unmaps the memory, for good; a thread that looks at it right now gets an exception. */
    void release() {
        if (tryRelease()) {
            onReleased.accept(this);
        }
    }

    private synchronized boolean tryRelease() {
        if (!isReleased.compareAndSet(false, true)) {
            return false;
        }
        mapped.arena.close();
        return true;
    }

    /** Goes on only if the exception says that the link's own memory has been unmapped. */
    private void requireReleased(IllegalStateException e) {
        if (!isReleased.get()) {
            throw e;
        }
        ClosedArena.forgetInterrupt();
    }

    @Override
    public String toString() {
        return peers.toString();
    }
}
