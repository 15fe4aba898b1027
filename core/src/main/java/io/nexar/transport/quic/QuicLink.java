package io.nexar.transport.quic;

import io.nexar.MemberId;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One end of a QUIC connection with a stream for each lane.
 *
 * <p>Two threads meet here. The caller's appends frames to {@link OutgoingLane}s and cuts arrived
 * bytes into frames by {@link FrameReader}s; the event loop, behind {@link LaneStreams}, moves
 * buffers between the lanes and the streams. They share the two lanes' locks and {@link #down}. A
 * payload is copied at {@code trySend}, so nothing is ever pending.
 *
 * <p>The side that closes gets no more frames; the other still gets those that arrived.
 */
final class QuicLink implements Link {
    /** Why the link is down, and whether it was this side that took it down. */
    record Down(boolean isHere, String reason) {}

    private final Peers peers;
    private final LaneStreams streams;
    private final Pump pump;
    private final Runnable wakeUp;
    private final OutgoingLane[] outgoing = new OutgoingLane[Lane.COUNT];
    private final IncomingLane[] incoming = new IncomingLane[Lane.COUNT];
    private final FrameReader[] readers = new FrameReader[Lane.COUNT];
    private final AtomicReference<@Nullable Down> down = new AtomicReference<>();
    private final PollGuard guard = new PollGuard(this::dispose);
    private boolean hasUnflushed; // the caller's
    private FrameHandler receiver = (link, lane, header, payload) -> {}; // the poller's
    private volatile boolean hasLeftOver;
    private volatile boolean hasSeenDown;
    private volatile boolean isPolling; // the poller's, before it looks for what has arrived
    private volatile @Nullable String givenUp; // written by the event loop before down
    private volatile @Nullable Consumer<byte[]> heartbeats;

    /** Who is at the ends, for messages. */
    record Peers(MemberId self, MemberId peer, String address) {
        @Override
        public String toString() {
            return "quic link of " + self + " to " + peer + " at " + address;
        }
    }

    QuicLink(Peers peers, LaneStreams streams, Pump pump, Runnable wakeUp) {
        this.peers = peers;
        this.streams = streams;
        this.pump = pump;
        this.wakeUp = wakeUp;
        for (Lane lane : Lane.values()) {
            int number = lane.ordinal();
            outgoing[number] = new OutgoingLane(streams.allocator());
            incoming[number] = new IncomingLane();
            readers[number] =
                    new FrameReader(
                            new FrameReader.Source(
                                    incoming[number],
                                    streams.allocator(),
                                    header -> receiver.destination(this, lane, header),
                                    () -> streams.resumeReading(lane)));
        }
    }

    OutgoingLane outgoing(Lane lane) {
        return outgoing[lane.ordinal()];
    }

    IncomingLane incoming(Lane lane) {
        return incoming[lane.ordinal()];
    }

    /** Event loop: there is room to send. */
    void wakeUp() {
        wakeUp.run();
    }

    /** Event loop: there is something to poll. */
    void onArrival() {
        if (!isPolling) {
            wakeUp.run();
        }
    }

    boolean isDown() {
        return down.get() != null;
    }

    @Override
    public MemberId peer() {
        return peers.peer();
    }

    @Override
    public String transport() {
        return QuicTransport.NAME;
    }

    @Override
    public SendResult trySend(
            Lane lane,
            FrameHeader header,
            MemorySegment payload,
            SendListener listener,
            long token) {
        header.requireLengthOf(payload);
        if (down.get() != null || !outgoing[lane.ordinal()].tryAppend(header, payload)) {
            return SendResult.REFUSED;
        }
        hasUnflushed = true;
        return SendResult.SENT;
    }

    @Override
    public void flush() {
        if (hasUnflushed) {
            hasUnflushed = false;
            streams.writeSoon();
        }
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        drive();
        Down seen = down.get();
        if (!guard.enter()) {
            hasSeenDown = true;
            return 0;
        }
        try {
            return deliver(handler, frameLimit);
        } catch (Throwable failure) {
            close("the receiver refused a frame: " + failure.getMessage());
            throw failure;
        } finally {
            hasSeenDown |= seen != null;
            guard.leave();
            if (isClosed()) {
                guard.dispose();
            }
        }
    }

    /** The poll that follows finds what comes here, so that need wake nobody. */
    private void drive() {
        if (pump.isDueAt(this)) {
            isPolling = true;
            pump.run();
            isPolling = false;
        }
    }

    private int deliver(FrameHandler handler, int limit) {
        receiver = handler;
        int count = 0;
        boolean isLeftOver = false;
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            FrameReader reader = readers[lane];
            reader.begin();
            while (count < limit && !isClosedHere() && reader.next()) {
                count++;
                try {
                    handler.onFrame(this, Lane.of(lane), reader.header(), reader.payload());
                } finally {
                    reader.pass();
                }
            }
            isLeftOver |= reader.hasLeftOver();
        }
        hasLeftOver = isLeftOver;
        return count;
    }

    private boolean isClosedHere() {
        Down seen = down.get();
        return seen != null && seen.isHere();
    }

    @Override
    public long queuedBytes() {
        long bytes = 0;
        for (OutgoingLane lane : outgoing) {
            bytes += lane.inFlightBytes();
        }
        return bytes;
    }

    @Override
    public boolean isReady() {
        return (down.get() != null && !hasSeenDown) || (!isClosedHere() && hasArrived());
    }

    @Override
    public boolean isClosed() {
        Down seen = down.get();
        return seen != null && (seen.isHere() || !hasArrived());
    }

    private boolean hasArrived() {
        if (hasLeftOver) {
            return true;
        }
        for (IncomingLane lane : incoming) {
            if (!lane.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public @Nullable String closeCause() {
        Down seen = down.get();
        return seen == null
                ? null
                : peers + (seen.isHere() ? ", closed here: " : ": ") + seen.reason();
    }

    @Override
    public void close(String reason) {
        close(LaneStreams.CODE_CLOSED, reason);
    }

    @Override
    public void giveUp(String reason) {
        close(LaneStreams.CODE_GIVEN_UP, reason);
    }

    @Override
    public @Nullable String givenUpBecause() {
        return givenUp;
    }

    @Override
    public boolean sendHeartbeat(byte[] payload) {
        if (payload.length > HEARTBEAT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a heartbeat of " + payload.length + " bytes; " + HEARTBEAT_BYTES_MAX);
        }
        return down.get() == null && streams.sendHeartbeat(payload);
    }

    @Override
    public void onHeartbeat(Consumer<byte[]> handler) {
        heartbeats = handler;
    }

    /** Event loop. */
    void heardHeartbeat(byte[] payload) {
        Consumer<byte[]> handler = heartbeats;
        if (handler != null && down.get() == null) {
            handler.accept(payload);
        }
    }

    /** Event loop: the peer says so as it closes. */
    void heardGivenUp(String reason) {
        givenUp = reason;
    }

    private void close(int code, String reason) {
        if (down.compareAndSet(null, new Down(true, reason))) {
            streams.closeSoon(this, code, reason);
            guard.dispose();
            wakeUp.run();
        }
    }

    /** Event loop. */
    void keepAlive() {
        streams.keepAlive();
    }

    /** Event loop: the connection is gone. */
    void onDown(String reason) {
        for (OutgoingLane lane : outgoing) {
            lane.close();
        }
        if (down.compareAndSet(null, new Down(false, reason))) {
            wakeUp.run();
        }
    }

    /** Frees what arrived and was not polled: nobody will. Frames in a handler's hands stay. */
    void forget() {
        guard.dispose();
    }

    private void dispose() {
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            incoming[lane].dispose();
            readers[lane].dispose();
        }
        hasLeftOver = false;
    }

    @Override
    public String toString() {
        return peers.toString();
    }
}
