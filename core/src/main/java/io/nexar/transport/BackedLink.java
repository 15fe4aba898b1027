package io.nexar.transport;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * A base link to a peer, and the fast link that may come before it: one link to whoever uses it.
 * The base link knows who lives: heartbeats go there, and its end is the end of both, after
 * everything that had arrived on the fast one. A fast link that ends alone ends the base, soon.
 *
 * <p>The fast link may come at any time, sooner here or sooner there. Each direction changes over
 * by itself: the last frame on each lane of the base says so, and what comes on the fast link is
 * looked at once all lanes have said it. So a lane keeps its order, and neither end need know what
 * the other has.
 */
public final class BackedLink implements Link {
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private static final int ALL_LANES = (1 << Lane.COUNT) - 1;

    /**
     * How long a fast link may be down before its base: whoever takes down both says why on the
     * base, which needs a round of its event loop.
     */
    private static final long GRACE_NANOS = 200_000_000;

    private final Link base;
    private final IntSupplier baseSignals;
    private final LongSupplier nanoClock;

    /** From any thread; taken over by the one that polls. */
    private volatile @Nullable Link offered;

    // The polling thread's, but for what others are shown.
    private volatile @Nullable Link fast;
    private int lanesLeft;
    private boolean isSendingFast;
    private int lanesHeard;
    private int signalsSeen;
    private boolean isBaseDown;
    private boolean hasUnflushedBase;
    private boolean hasFastEnded;
    private long fastEndNanos;
    private final FrameHeader header = new FrameHeader();
    private final Passing passing = new Passing();

    /**
     * @param baseSignals changes after anything has come on the base link, or it has gone down:
     *     read instead of polling it once there is a fast link; callable from any thread
     */
    public BackedLink(Link base, IntSupplier baseSignals, LongSupplier nanoClock) {
        this.base = base;
        this.nanoClock = nanoClock;
        this.baseSignals = baseSignals;
        this.signalsSeen = baseSignals.getAsInt() - 1;
    }

    /** Here is a fast link to the same peer; the first that is up is taken. From any thread. */
    public void offer(Link link) {
        if (!link.peer().equals(base.peer())) {
            throw new IllegalArgumentException(link + " before " + base);
        }
        offered = link;
    }

    @Override
    public MemberId peer() {
        return base.peer();
    }

    @Override
    public String transport() {
        Link to = fast;
        return to == null ? base.transport() : to.transport();
    }

    @Override
    public SendResult trySend(
            Lane lane,
            FrameHeader frame,
            MemorySegment payload,
            SendListener listener,
            long token) {
        Link to = isSendingFast ? fast : adopted();
        if (to == null) {
            hasUnflushedBase = true;
            return base.trySend(lane, frame, payload, listener, token);
        }
        if (!isSendingFast && !changesOver()) {
            return SendResult.REFUSED;
        }
        return to.trySend(lane, frame, payload, listener, token);
    }

    private @Nullable Link adopted() {
        if (fast == null && hasOffer()) {
            fast = offered;
        }
        return fast;
    }

    private boolean hasOffer() {
        Link candidate = offered;
        return candidate != null && !candidate.isClosed();
    }

    /**
     * Says on each lane of the base that the rest comes on the fast link; true once all is said.
     */
    private boolean changesOver() {
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            if ((lanesLeft & 1 << lane) == 0) {
                SendResult result =
                        base.trySend(
                                Lane.of(lane),
                                header.reset(FrameKind.SWITCH),
                                NOTHING,
                                token -> {},
                                0);
                lanesLeft |= result == SendResult.REFUSED ? 0 : 1 << lane;
            }
        }
        base.flush();
        isSendingFast = lanesLeft == ALL_LANES;
        return isSendingFast;
    }

    @Override
    public void flush() {
        Link to = fast;
        if (to != null) {
            to.flush();
        }
        if (hasUnflushedBase) {
            hasUnflushedBase = false;
            base.flush();
        }
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        passing.handler = handler;
        Link from = isSendingFast ? fast : adopted();
        if (from == null) {
            passing.isOfBase = true;
            return base.poll(passing, frameLimit);
        }
        if (!isSendingFast) {
            changesOver();
        }
        // Without frames it still tells of what was sent.
        int count = pollFast(from, lanesHeard == ALL_LANES ? frameLimit : 0);
        count += pollBase(frameLimit);
        if (count == 0 && isBaseDown) {
            from.close(String.valueOf(base.closeCause()));
        } else if (count == 0 && from.isClosed()) {
            handleFastEnd(from);
        }
        return count;
    }

    private void handleFastEnd(Link from) {
        long nowNanos = nanoClock.getAsLong();
        if (!hasFastEnded) {
            hasFastEnded = true;
            fastEndNanos = nowNanos;
        } else if (nowNanos - fastEndNanos >= GRACE_NANOS) {
            base.close(String.valueOf(from.closeCause()));
        }
    }

    private int pollFast(Link from, int frameLimit) {
        passing.isOfBase = false;
        try {
            return from.poll(passing, frameLimit);
        } catch (Throwable failure) {
            base.close("the receiver refused a frame: " + failure.getMessage());
            throw failure;
        }
    }

    private int pollBase(int frameLimit) {
        int signals = baseSignals.getAsInt();
        if (signals == signalsSeen) {
            return 0;
        }
        passing.isOfBase = true;
        int count = base.poll(passing, frameLimit);
        isBaseDown = base.isClosed();
        if (!base.isReady()) {
            signalsSeen = signals;
        }
        return count;
    }

    /** A lane of the base is at its end. */
    private void handleSwitch(Lane lane) {
        if ((lanesHeard & 1 << lane.ordinal()) != 0) {
            throw new ProtocolException(
                    peer().toString(), "changed over twice on the lane " + lane);
        }
        lanesHeard |= 1 << lane.ordinal();
    }

    @Override
    public long queuedBytes() {
        Link to = fast;
        return base.queuedBytes() + (to == null ? 0 : to.queuedBytes());
    }

    @Override
    public boolean isReady() {
        Link from = fast;
        return base.isReady() || (from == null && hasOffer()) || (from != null && from.isReady());
    }

    @Override
    public boolean isClosed() {
        if (!base.isClosed()) {
            return false;
        }
        Link from = fast;
        return from == null || from.isClosed();
    }

    @Override
    public @Nullable String closeCause() {
        return base.closeCause();
    }

    @Override
    public void close(String reason) {
        base.close(reason);
        closeFast(reason);
    }

    /** The fast link says nothing of it, lest the peer hear of an end before it hears which. */
    @Override
    public void giveUp(String reason) {
        base.giveUp(reason);
    }

    private void closeFast(String reason) {
        Link to = fast;
        Link other = offered;
        if (to != null) {
            to.close(reason);
        }
        if (other != null) {
            other.close(reason);
        }
    }

    @Override
    public @Nullable String givenUpBecause() {
        return base.givenUpBecause();
    }

    @Override
    public boolean sendHeartbeat(byte[] payload) {
        return base.sendHeartbeat(payload);
    }

    @Override
    public void onHeartbeat(Consumer<byte[]> handler) {
        base.onHeartbeat(handler);
    }

    @Override
    public String toString() {
        Link to = fast;
        return to == null ? base.toString() : to + ", behind it " + base;
    }

    /** Hands frames on as this link's. */
    private final class Passing implements FrameHandler {
        private FrameHandler handler = (link, lane, frame, payload) -> {};
        private boolean isOfBase;

        @Override
        public void onFrame(Link from, Lane lane, FrameHeader frame, MemorySegment payload) {
            if (!isOfBase) {
                handler.onFrame(BackedLink.this, lane, frame, payload);
            } else if (frame.kind() == FrameKind.SWITCH) {
                handleSwitch(lane);
            } else if ((lanesHeard & 1 << lane.ordinal()) != 0) {
                throw new ProtocolException(
                        peer().toString(), "sent " + frame + " after it had changed over");
            } else {
                handler.onFrame(BackedLink.this, lane, frame, payload);
            }
        }

        @Override
        public @Nullable MemorySegment destination(Link from, Lane lane, FrameHeader frame) {
            return handler.destination(BackedLink.this, lane, frame);
        }
    }
}
