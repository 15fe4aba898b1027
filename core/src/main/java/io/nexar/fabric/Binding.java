package io.nexar.fabric;

import io.nexar.ProtocolException;
import io.nexar.wire.CommunicatorPath;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * What one peer's channel number means here. Frames that come before the communicator has been made
 * on this rank wait, as many as the peer's first credit allows. Guarded by the progress lock.
 */
final class Binding {
    private final Peer peer;
    private final CommunicatorPath path;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final FabricSettings settings;
    private @Nullable PeerPort port;
    private long waitingBytes;

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

    /** Connects the communicator's port and hands it what has waited for it. */
    void connect(PeerPort newPort) {
        port = newPort;
        waitingBytes = 0;
        while (!waiting.isEmpty()) {
            Waiting frame = waiting.remove();
            newPort.onFrame(frame.header(), frame.payload());
        }
    }

    void onFrame(FrameHeader header, MemorySegment payload) {
        PeerPort connected = port;
        if (connected != null) {
            connected.onFrame(header, payload);
            return;
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
        return settings.messageCreditBytes()
                + settings.pieceCredit()
                        * ((long) settings.pieceBytes() + FabricSettings.MESSAGE_COST_BYTES);
    }
}
