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
 * everything that had arrived on the fast one. A fast link that a member closes ends the base,
 * soon; one that breaks does not: the base carries on ({@link Resumption}).
 *
 * <p>The fast link may come at any time, sooner here or sooner there. Each direction changes over
 * by itself: the last frame on each lane of the base says so, and what comes on the fast link is
 * looked at once all lanes have said it. So a lane keeps its order, and neither end need know what
 * the other has.
 */
public final class BackedLink implements Link {
    private static final String TOO_LATE = "its peer has gone on without it";

    /**
     * How long a fast link may be down before its base: whoever takes down both says why on the
     * base, which needs a round of its event loop.
     */
    private static final long GRACE_NANOS = 200_000_000;

    private final Link base;
    private final IntSupplier baseSignals;
    private final LongSupplier nanoClock;
    private final Consumer<String> breaks;
    private final ChangeOver changeOver;
    private final StallCheck stallCheck;

    /** From any thread; taken over by the one that polls. */
    private volatile @Nullable Link offered;

    // The polling thread's, but for what others are shown.
    private volatile @Nullable Link fast;
    private volatile @Nullable Resumption resumption;
    private @Nullable BreakableLink breakable;
    private boolean isSendingFast;
    private int signalsSeen;
    private boolean isBaseDown;
    private boolean hasUnflushedBase;
    private boolean hasFastEnded;
    private long fastEndNanos;
    private final Passing passing = new Passing();

    /**
     * @param baseSignals changes after anything has come on the base link, or it has gone down:
     *     read instead of polling it once there is a fast link; callable from any thread
     * @param breaks is told, in the polling thread, why the fast link broke, once both ends go on
     *     without it
     */
    public BackedLink(
            Link base, IntSupplier baseSignals, LongSupplier nanoClock, Consumer<String> breaks) {
        this.base = base;
        this.nanoClock = nanoClock;
        this.breaks = breaks;
        this.changeOver = new ChangeOver(base);
        this.stallCheck = new StallCheck(base);
        this.baseSignals = baseSignals;
        this.signalsSeen = baseSignals.getAsInt() - 1;
    }

    /** Here is a fast link to the same peer; the first that is up is taken. From any thread. */
    public void offer(Link link) {
        if (!link.peer().equals(base.peer())) {
            throw new IllegalArgumentException(link + " before " + base);
        }
        offered = link;
        if (resumption != null) { // pairs with resume(), which looks the other way round
            link.close(TOO_LATE);
        }
    }

    @Override
    public MemberId peer() {
        return base.peer();
    }

    @Override
    public String transport() {
        Link to = before();
        return to == null ? base.transport() : to.transport();
    }

    /** What carries new frames before the base does; null if nothing does, or will any more. */
    private @Nullable Link before() {
        return resumption == null ? fast : null;
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
            if (resumption != null && !resumption.isDone(lane)) {
                return SendResult.REFUSED;
            }
            hasUnflushedBase = true;
            return base.trySend(lane, frame, payload, listener, token);
        }
        isSendingFast = isSendingFast || changeOver.say();
        if (!isSendingFast) {
            return SendResult.REFUSED;
        }
        return to.trySend(lane, frame, payload, listener, token);
    }

    /** The fast link, unless it has none or is done with it. */
    private @Nullable Link adopted() {
        if (resumption != null) {
            return null;
        }
        if (fast == null && hasOffer()) {
            Link taken = offered;
            fast = taken;
            if (taken instanceof BreakableLink mayBreak) {
                breakable = mayBreak;
                mayBreak.keepWhenBroken();
            }
        }
        return fast;
    }

    private boolean hasOffer() {
        Link candidate = offered;
        return candidate != null && !candidate.isClosed();
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
            return pollWithoutFast(frameLimit);
        }
        isSendingFast = isSendingFast || changeOver.say();
        // Without frames it still tells of what was sent.
        int count = pollFast(from, changeOver.isHeardOfAll() ? frameLimit : 0);
        count += pollBase(frameLimit);
        if (count > 0) {
            return count;
        }
        if (isBaseDown) {
            from.close(String.valueOf(base.closeCause()));
        } else if (breakable != null && breakable.isBroken()) {
            resume();
            return 1;
        } else if (from.isClosed()) {
            handleFastEnd(from);
        } else {
            return stallCheck.advance(breakable);
        }
        return 0;
    }

    /** From now on the base carries everything, behind what both sides have handled so far. */
    private Resumption resume() {
        Resumption started = new Resumption(base, breakable == null ? null : breakable.kept());
        resumption = started;
        isSendingFast = false;
        Link other = offered;
        if (other != null && !other.equals(fast)) {
            other.close(TOO_LATE);
        }
        return started;
    }

    private int pollWithoutFast(int frameLimit) {
        Resumption resumed = resumption;
        if (resumed != null) {
            return pollResumed(resumed, frameLimit);
        }
        passing.isOfBase = true;
        return base.poll(passing, frameLimit);
    }

    private int pollResumed(Resumption resumed, int frameLimit) {
        int count = pollBase(frameLimit);
        count += resumed.isOver() ? 0 : resumed.advance();
        Link from = fast;
        if (from != null) {
            count += from.poll(passing, 0); // once it is closed, it tells of what it had kept
        }
        if (from != null && isBaseDown) {
            from.close(String.valueOf(base.closeCause()));
        } else if (from != null && resumed.isOver()) {
            from.close(TOO_LATE);
            fast = null;
            offered = null;
            breakable = null;
        }
        return count;
    }

    /** The peer takes nothing from the fast link any more, and says how much it has. */
    private void handleResume(MemorySegment counts) {
        Resumption resumed = resumption;
        BreakableLink broken = breakable;
        if (resumed == null) {
            if (fast != null && (broken == null || !broken.breakOff("the peer found it broken"))) {
                throw new ProtocolException(peer().toString(), "resumed a link that is not broken");
            }
            resumed = resume();
        }
        resumed.hear(counts);
        if (broken != null) {
            breaks.accept(String.valueOf(broken.closeCause()));
        }
    }

    private void handleHandled(FrameHeader frame, MemorySegment payload) {
        BreakableLink asked = breakable;
        if (resumption == null && stallCheck.hear(frame, payload, asked) && asked != null) {
            asked.breakOff("nothing of what was sent comes through");
        }
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

    /** Whether the peer knows from where it may send on the base again. */
    private boolean isResumed() {
        Resumption resumed = resumption;
        return resumed != null && resumed.isSaid();
    }

    @Override
    public boolean finishReading() {
        Link from = fast;
        return from == null || from.finishReading();
    }

    @Override
    public long queuedBytes() {
        Link to = before();
        return base.queuedBytes() + (to == null ? 0 : to.queuedBytes());
    }

    @Override
    public boolean isReady() {
        Link from = fast;
        return base.isReady()
                || (from != null && from.isReady())
                || (from == null && resumption == null && hasOffer());
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
        Link to = before();
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
                changeOver.hear(lane);
            } else if (frame.kind() == FrameKind.RESUME) {
                handleResume(payload);
            } else if (frame.kind() == FrameKind.HANDLED) {
                handleHandled(frame, payload);
            } else if (changeOver.isHeard(lane) && !isResumed()) {
                throw new ProtocolException(
                        peer().toString(), "sent " + frame + " after it had changed over");
            } else {
                handler.onFrame(BackedLink.this, lane, frame, payload);
            }
        }

        @Override
        public boolean readsInPlace(Link from, Lane lane, FrameHeader frame) {
            return handler.readsInPlace(BackedLink.this, lane, frame);
        }

        @Override
        public @Nullable MemorySegment destination(Link from, Lane lane, FrameHeader frame) {
            return handler.destination(BackedLink.this, lane, frame);
        }
    }
}
