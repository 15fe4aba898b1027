package io.nexar.fabric;

import io.nexar.ProtocolException;
import io.nexar.transport.Lane;
import io.nexar.wire.CommunicatorPath;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * What one peer's channel number means here. Frames that come before the communicator has been made
 * on this rank wait, as many as the peer's first credit allows; those that come after it was closed
 * here are dropped. The peer has closed it once it has said so on every lane that it used, so that
 * all it sent before has been taken in. Guarded by the progress lock.
 */
final class Binding {
    private final Peer peer;
    private final CommunicatorPath path;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final FabricSettings settings;
    private @Nullable PeerPort port;
    private long waitingBytes;
    private boolean isDropped;
    private int lanesUsed;
    private int lanesClosed;

    private record Waiting(FrameHeader header, MemorySegment payload) {}

    Binding(Peer peer, CommunicatorPath path, FabricSettings settings) {
        this.peer = peer;
        this.path = path;
        this.settings = settings;
    }

    Peer peer() {
        return peer;
    }

    CommunicatorPath path() {
        return path;
    }

    /** The communicator's port to the peer; null while it is not open here. */
    @Nullable PeerPort port() {
        return port;
    }

    /** Whether the peer has closed it. */
    boolean isClosed() {
        return lanesUsed != 0 && lanesClosed == lanesUsed;
    }

    /** Connects the communicator's port and hands it what has waited for it. */
    void connect(PeerPort newPort) {
        port = newPort;
        newPort.binding(this);
        waitingBytes = 0;
        while (!waiting.isEmpty()) {
            Waiting frame = waiting.remove();
            newPort.onFrame(frame.header(), frame.payload());
        }
        if (isClosed()) {
            newPort.channel().onPeerClosed(newPort);
        }
    }

    /** The communicator is closed here: whatever still comes for it is of no use. */
    void drop() {
        port = null;
        isDropped = true;
        waiting.clear();
    }

    /**
     * The peer sends nothing more on this lane; true when it was the last one that it had used.
     *
     * @param lanes the lanes that it used, one bit each by ordinal; the same on all of them
     */
    boolean heardClose(Lane lane, int lanes) {
        int bit = 1 << lane.ordinal();
        boolean isSame = lanesUsed == 0 || lanesUsed == lanes;
        if (!isSame || (lanes & bit) == 0 || (lanesClosed & bit) != 0 || lanes >> Lane.COUNT != 0) {
            throw new ProtocolException(
                    peer.id().toString(),
                    "closed %s on lane %s of lanes 0x%x; closed before: 0x%x of 0x%x"
                            .formatted(path, lane, lanes, lanesClosed, lanesUsed));
        }
        lanesUsed = lanes;
        lanesClosed |= bit;
        return isClosed();
    }

    void onFrame(FrameHeader header, MemorySegment payload) {
        PeerPort connected = port;
        if (connected != null) {
            connected.onFrame(header, payload);
            return;
        }
        if (isDropped || header.kind() == FrameKind.CALL) {
            return; // Of a call: there is none here to compare it with; the peer asks again.
        }
        long bytes = payload.byteSize() + FabricSettings.MESSAGE_COST_BYTES;
        if (waitingBytes + bytes > firstCreditBytes()) {
            throw new ProtocolException(
                    peer.id().toString(),
                    "sent more than its first credit to %s, which is not made here yet"
                            .formatted(path));
        }
        waitingBytes += bytes;
        MemorySegment copy =
                MemorySegment.ofArray(new byte[(int) payload.byteSize()]).copyFrom(payload);
        waiting.add(new Waiting(new FrameHeader().copyFrom(header), copy));
    }

    private long firstCreditBytes() {
        return settings.messageCreditBytes() + settings.pieceCreditBytes();
    }
}
