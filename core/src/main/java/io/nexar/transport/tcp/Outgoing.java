package io.nexar.transport.tcp;

import io.nexar.transport.KeptFrames;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.Utf8;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The sending side of a link: four lanes share one connection, a frame at a time, CONTROL first.
 * Guarded by its own lock, since a link may be closed from any thread.
 */
final class Outgoing implements KeptFrames {
    private static final SendListener NOBODY = token -> {};

    private final Wire wire;
    private final Handled handled;
    private final SendLane[] lanes = new SendLane[Lane.COUNT];
    private final FrameHeader resent = new FrameHeader();
    private final SendLane.Copied copied = new SendLane.Copied();
    private final ByteBuffer acks;
    private final MemorySegment acksView;
    private boolean isAckDue;
    private boolean isStopped;

    Outgoing(Wire wire, Handled handled, int windowBytes) {
        this.wire = wire;
        this.handled = handled;
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            lanes[lane] = new SendLane(lane, windowBytes);
        }
        acks = ByteBuffer.allocateDirect(Lane.COUNT * Packet.BYTES);
        acksView = MemorySegment.ofBuffer(acks);
    }

    synchronized SendResult trySend(
            int lane,
            FrameHeader header,
            MemorySegment payload,
            SendListener listener,
            long token) {
        return isStopped
                ? SendResult.REFUSED
                : lanes[lane].trySend(header, payload, listener, token);
    }

    /** Acknowledge with the next write, whatever else it carries; and write now. */
    synchronized boolean writeAcks() throws IOException {
        isAckDue = true;
        return write();
    }

    /** Writes what the socket takes; false if it would not take all. */
    synchronized boolean write() throws IOException {
        if (isStopped) {
            return true;
        }
        wire.beginWriting();
        do {
            seal();
            if (!wire.write()) {
                return false;
            }
        } while (hasUnsealed());
        return true;
    }

    private void seal() throws IOException {
        while (wire.hasRoom()) {
            SendLane lane = nextLane();
            boolean isBetweenFrames = lane == null || !lane.isInsideFrame();
            if (isBetweenFrames && (isAckDue || (lane != null && handled.isAwaitedBut(lane)))) {
                sealAcks(lane);
            } else if (lane != null) {
                lane.sealNext(wire, tellWith(lane));
            } else {
                return;
            }
        }
    }

    private int tellWith(SendLane lane) {
        if (!lane.isInsideFrame()) {
            handled.told(lane.number());
        }
        return handled.frames(lane.number());
    }

    /** For all lanes but the one whose next frame says it anyway. */
    private void sealAcks(@Nullable SendLane but) throws IOException {
        isAckDue = false;
        acks.clear();
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            if (lanes[lane] != but && handled.isWorthTelling(lane)) {
                Packet.encode(acksView, acks.position(), Packet.ACK, lane);
                Packet.value(acksView, acks.position(), handled.frames(lane));
                acks.position(acks.position() + Packet.BYTES);
                handled.told(lane);
            }
        }
        if (acks.position() > 0) {
            wire.seal(acks.flip());
        }
    }

    private @Nullable SendLane nextLane() {
        SendLane first = null;
        for (SendLane lane : lanes) {
            if (lane.isInsideFrame()) {
                return lane;
            }
            if (first == null && lane.hasUnsealed()) {
                first = lane;
            }
        }
        return first;
    }

    private boolean hasUnsealed() {
        return nextLane() != null;
    }

    @Override
    public int handled(Lane lane) {
        return handled.frames(lane.ordinal());
    }

    @Override
    public int acknowledge(Lane lane, int value) {
        int frames = checked(lane, value);
        int told = 0;
        for (int i = 0; i < frames; i++) {
            told += pass(lane.ordinal()) ? 1 : 0;
        }
        return told;
    }

    /** How many frames are to be passed for an acknowledgement. */
    private synchronized int checked(Lane lane, int value) {
        return lanes[lane.ordinal()].acknowledge(value);
    }

    /**
     * Passes the oldest frame of a lane and tells whoever lent its payload.
     *
     * @return whether somebody was told
     */
    private boolean pass(int lane) {
        SendListener listener;
        long token;
        synchronized (this) {
            token = lanes[lane].token();
            listener = lanes[lane].pass();
        }
        if (listener == null) {
            return false;
        }
        listener.onSent(token); // without the lock: it is somebody else's code
        return true;
    }

    /**
     * Gives back a payload that was lent, in exchange for a copy: for when all is written and there
     * is nothing else to do. Returns how many were told.
     */
    int copyOne() {
        synchronized (this) {
            if (isStopped || !tryCopy()) {
                return 0;
            }
        }
        copied.listener.onSent(copied.token); // without the lock: it is somebody else's code
        return 1;
    }

    private boolean tryCopy() {
        for (SendLane lane : lanes) {
            if (lane.tryCopy(copied)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public synchronized boolean isAhead(Lane lane, int count) {
        return (int) lanes[lane.ordinal()].sent() - count > 0;
    }

    /** How many frames were ever sent, if some of them are not acknowledged; else 0. */
    synchronized long sentInVain() {
        long sent = 0;
        boolean isWaiting = false;
        for (SendLane lane : lanes) {
            sent += lane.sent();
            isWaiting |= !lane.isEmpty();
        }
        return isWaiting ? sent : 0;
    }

    @Override
    public boolean isKeeping(Lane lane) {
        return !isEmpty(lane.ordinal());
    }

    /** The link is stopped, so that nobody else touches the lane meanwhile. */
    @Override
    public SendResult resend(Lane lane, Link to) {
        SendLane from = lanes[lane.ordinal()];
        SendListener listener;
        MemorySegment payload;
        long token;
        synchronized (this) {
            from.oldestHeader(resent);
            payload = from.oldestPayload();
            listener = from.listener();
            token = from.token();
        }
        SendListener told = listener == null ? NOBODY : listener;
        SendResult result = to.trySend(lane, resent, payload, told, token);
        if (result == SendResult.SENT) {
            pass(lane.ordinal());
        } else if (result == SendResult.PENDING) {
            drop(from);
        }
        return result;
    }

    /** Passes the oldest frame without a word: another link will tell. */
    private synchronized void drop(SendLane lane) {
        lane.pass();
    }

    /** Gives back all that was lent; returns how many were told. */
    int passAll() {
        int told = 0;
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            while (!isEmpty(lane)) {
                told += pass(lane) ? 1 : 0;
            }
        }
        return told;
    }

    /** Whether somebody waits to be told that a payload is free. */
    synchronized boolean isLending() {
        for (SendLane lane : lanes) {
            if (lane.isLending()) {
                return true;
            }
        }
        return false;
    }

    private synchronized boolean isEmpty(int lane) {
        return lanes[lane].isEmpty();
    }

    /**
     * Takes nothing more. What was taken so far is still written as far as the socket takes it at
     * once, and behind it the reason, unless that would fall into a frame.
     */
    synchronized void stop(@Nullable String reason) {
        if (isStopped) {
            return;
        }
        try {
            write();
            SendLane lane = nextLane();
            if (reason != null && (lane == null || !lane.isInsideFrame()) && wire.hasRoom()) {
                byte[] text = Utf8.cut(reason, Packet.REASON_BYTES_MAX);
                byte[] packet = new byte[Packet.BYTES + text.length];
                MemorySegment view = MemorySegment.ofArray(packet);
                Packet.encode(view, 0, Packet.CLOSE, 0);
                Packet.value(view, 0, text.length);
                System.arraycopy(text, 0, packet, Packet.BYTES, text.length);
                wire.seal(ByteBuffer.wrap(packet));
                wire.write();
            }
        } catch (IOException brokenAnyway) {
            // The peer learns of the end by the end of the connection.
        } finally {
            isStopped = true;
            wire.detach();
        }
    }

    synchronized boolean isStopped() {
        return isStopped;
    }

    /** After the stop: what is left of it; true if nothing is. */
    synchronized boolean writeRest() throws IOException {
        return wire.write();
    }

    synchronized long unwrittenBytes() {
        long bytes = 0;
        for (SendLane lane : lanes) {
            bytes += lane.unwrittenBytes();
        }
        return bytes;
    }
}
