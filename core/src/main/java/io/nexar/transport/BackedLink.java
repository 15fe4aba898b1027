package io.nexar.transport;

import io.nexar.MemberId;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * A fast link to a peer, and the base link that stands behind it: one link to whoever uses it.
 * Frames travel on the fast one. The base link knows who lives: heartbeats go there, and its end is
 * the end of both. A fast link that is down alone says nothing about the peer: sends are refused
 * until the base link says more, which whoever takes down one of them takes down as well.
 *
 * <p>Frames that arrived on the fast link before the base went down are delivered first.
 */
public final class BackedLink implements Link {
    private final Link fast;
    private final Link base;
    private final IntSupplier baseSignals;

    // The polling thread's.
    private int signalsSeen;

    private boolean isBaseDown;

    private final Passing passing = new Passing();

    private volatile boolean isFastDrained;

    /**
     * @param baseSignals changes after anything has come on the base link, or it has gone down:
     *     read instead of polling it, which costs more; callable from any thread
     */
    public BackedLink(Link fast, Link base, IntSupplier baseSignals) {
        if (!fast.peer().equals(base.peer())) {
            throw new IllegalArgumentException(fast + " behind " + base);
        }
        this.fast = fast;
        this.base = base;
        this.baseSignals = baseSignals;
        this.signalsSeen = baseSignals.getAsInt() - 1;
    }

    @Override
    public MemberId peer() {
        return fast.peer();
    }

    @Override
    public String transport() {
        return fast.transport();
    }

    @Override
    public SendResult trySend(
            Lane lane,
            FrameHeader header,
            MemorySegment payload,
            SendListener listener,
            long token) {
        return fast.trySend(lane, header, payload, listener, token);
    }

    @Override
    public void flush() {
        fast.flush();
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        passing.handler = handler;
        int count = pollFast(frameLimit);
        int signals = baseSignals.getAsInt();
        if (signals != signalsSeen) {
            count += base.poll(passing, frameLimit);
            isBaseDown = base.isClosed();
            if (!base.isReady()) {
                signalsSeen = signals;
            }
        }
        if (isBaseDown && count == 0 && !isFastDrained) {
            fast.close(String.valueOf(base.closeCause()));
            isFastDrained = true;
        }
        return count;
    }

    private int pollFast(int frameLimit) {
        try {
            return fast.poll(passing, frameLimit);
        } catch (Throwable failure) {
            base.close("the receiver refused a frame: " + failure.getMessage());
            throw failure;
        }
    }

    @Override
    public long queuedBytes() {
        return fast.queuedBytes() + base.queuedBytes();
    }

    @Override
    public boolean isReady() {
        return fast.isReady() || base.isReady() || (base.isClosed() && !isFastDrained);
    }

    @Override
    public boolean isClosed() {
        return base.isClosed() && (isFastDrained || fast.isClosed());
    }

    @Override
    public @Nullable String closeCause() {
        return base.closeCause();
    }

    @Override
    public void close(String reason) {
        base.close(reason);
        fast.close(reason);
    }

    @Override
    public void giveUp(String reason) {
        base.giveUp(reason);
        fast.close(reason);
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
        return fast + ", behind it " + base;
    }

    /** Hands frames on as this link's. */
    private final class Passing implements FrameHandler {
        private FrameHandler handler = (link, lane, header, payload) -> {};

        @Override
        public void onFrame(Link from, Lane lane, FrameHeader header, MemorySegment payload) {
            handler.onFrame(BackedLink.this, lane, header, payload);
        }

        @Override
        public @Nullable MemorySegment destination(Link from, Lane lane, FrameHeader header) {
            return handler.destination(BackedLink.this, lane, header);
        }
    }
}
