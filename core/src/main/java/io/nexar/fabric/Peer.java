package io.nexar.fabric;

import io.nexar.MemberId;
import io.nexar.NexarException;
import io.nexar.PeerLeftException;
import io.nexar.PeerLostException;
import io.nexar.ProtocolException;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.wire.CommunicatorPath;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Another member: its link, the numbers by which it calls our channels, and whether it is still
 * there. It has left once it has said goodbye on every lane, so that all it sent before has been
 * taken in; it is lost when the link ends without that. Guarded by the progress lock.
 */
final class Peer implements FrameHandler {
    /**
     * Bounds what a peer's OPEN frames fill; far beyond the communicators that any program has open
     * at a time.
     */
    private static final int CHANNELS_MAX = 1 << 16;

    private static final int ALL_LANES = (1 << Lane.COUNT) - 1;

    private final MemberId id;
    private final Fabric fabric;
    private @Nullable Link link;
    private boolean isUnflushed;
    private final Map<Integer, Binding> bindings = new HashMap<>();
    private @Nullable Binding lastBinding;
    private int lastNumber;
    private int goodbyesHeard;
    private int goodbyesSaid;
    private boolean ackOwed;
    private boolean acknowledged;
    private @Nullable String goneBecause;
    private @Nullable Throwable goneCause;
    private long goneAtNanos;

    Peer(MemberId id, Fabric fabric) {
        this.id = id;
        this.fabric = fabric;
    }

    @Override
    public void onFrame(Link from, Lane lane, FrameHeader header, MemorySegment payload) {
        fabric.onFrame(this, lane, header, payload);
    }

    @Override
    public boolean readsInPlace(Link from, Lane lane, FrameHeader header) {
        Binding binding = header.kind() == FrameKind.PIECE ? findBinding(header.channel()) : null;
        PeerPort port = binding == null ? null : binding.port();
        return port != null && port.channel().pieceHandler().readsInPlace(port.rank(), header);
    }

    @Override
    public @Nullable MemorySegment destination(Link from, Lane lane, FrameHeader header) {
        Binding binding =
                switch (header.kind()) {
                    case PIECE, DATA, MESSAGE -> findBinding(header.channel());
                    default -> null;
                };
        PeerPort port = binding == null ? null : binding.port();
        return port == null ? null : port.destination(header);
    }

    MemberId id() {
        return id;
    }

    @Nullable Link link() {
        return link;
    }

    void link(Link newLink) {
        link = newLink;
    }

    boolean isGone() {
        return goneBecause != null;
    }

    /** Why nothing more comes from it. */
    String goneBecause() {
        return goneBecause == null ? "it is still there" : goneBecause;
    }

    boolean hasLeft() {
        return goodbyesHeard == ALL_LANES;
    }

    /** Notes that nothing more will come from it; the first reason stays. */
    void gone(String reason, @Nullable Throwable cause, long nowNanos) {
        if (goneBecause == null) {
            goneBecause = reason;
            goneCause = cause;
            goneAtNanos = nowNanos;
        }
    }

    /** What a call that needs this peer gets. */
    NexarException failure(int rank, long nowNanos) {
        String reason = goneBecause();
        return hasLeft()
                ? new PeerLeftException(null, rank, reason)
                : new PeerLostException(
                        null, rank, reason, Duration.ofNanos(nowNanos - goneAtNanos), goneCause);
    }

    /** Whether something can be sent to it. */
    boolean isReachable() {
        return link != null && !isGone();
    }

    /** Notes what this peer means by a channel number; null if it had said so before. */
    @Nullable Binding bind(int number, CommunicatorPath path, FabricSettings settings) {
        Binding known = bindings.get(number);
        if (known == null) {
            if (bindings.size() == CHANNELS_MAX) {
                throw new ProtocolException(
                        id.toString(), "opened more than " + CHANNELS_MAX + " channels");
            }
            known = new Binding(this, path, settings);
            bindings.put(number, known);
            return known;
        }
        if (!known.path().equals(path)) {
            throw new ProtocolException(
                    id.toString(),
                    "channel %d opened for %s, then for %s".formatted(number, known.path(), path));
        }
        return null;
    }

    /** What this peer means by the frame's channel; most frames are of the same as the last. */
    Binding binding(FrameHeader header) {
        Binding binding = findBinding(header.channel());
        if (binding == null) {
            throw new ProtocolException(
                    id.toString(),
                    "sent a %s frame on channel %d without opening it"
                            .formatted(header.kind(), header.channel()));
        }
        return binding;
    }

    private @Nullable Binding findBinding(int number) {
        Binding binding = lastBinding;
        if (binding == null || lastNumber != number) {
            binding = bindings.get(number);
            lastBinding = binding;
            lastNumber = number;
        }
        return binding;
    }

    /** The peer has closed this channel; its number has no meaning any more. */
    void unbind(int number) {
        bindings.remove(number);
        lastBinding = null;
    }

    /** How many channels this peer has open. */
    int channels() {
        return bindings.size();
    }

    /** Notes a goodbye; true when it was the last lane's. */
    boolean heardGoodbye(Lane lane) {
        goodbyesHeard |= 1 << lane.ordinal();
        ackOwed |= hasLeft();
        return hasLeft();
    }

    /** Our goodbye has been heard, or need not be: the peer closed before. */
    void acknowledged() {
        acknowledged = true;
    }

    boolean isAckOwed() {
        return ackOwed;
    }

    /** Whether our goodbye has arrived, or can't any more. */
    boolean isParted() {
        return acknowledged || isGone() || link == null;
    }

    /** Says what is due of goodbyes and their acknowledgement. Returns the number of frames. */
    int part(boolean sayGoodbye, FrameHeader header) {
        int frames = 0;
        for (int i = 0; sayGoodbye && i < Lane.COUNT; i++) {
            boolean said = (goodbyesSaid & 1 << i) != 0;
            if (!said && send(Lane.of(i), header.reset(FrameKind.GOODBYE))) {
                goodbyesSaid |= 1 << i;
                frames++;
            }
        }
        if (ackOwed && send(Lane.CONTROL, header.reset(FrameKind.GOODBYE_ACK))) {
            ackOwed = false;
            frames++;
        }
        return frames;
    }

    /** Offers a frame to its link, which is flushed at the end of the pass. */
    SendResult trySend(
            Lane lane,
            FrameHeader header,
            MemorySegment payload,
            SendListener listener,
            long token) {
        Link to = link;
        if (to == null) {
            return SendResult.REFUSED;
        }
        SendResult result = to.trySend(lane, header, payload, listener, token);
        if (result != SendResult.REFUSED && !isUnflushed) {
            isUnflushed = true;
            fabric.flushLater(this);
        }
        return result;
    }

    /** Pushes out what its link has taken. */
    void flush() {
        isUnflushed = false;
        Link to = link;
        if (to != null) {
            to.flush();
        }
    }

    private boolean send(Lane lane, FrameHeader header) {
        return trySend(lane, header, PeerPort.NOTHING, PeerPort.NOBODY, 0) != SendResult.REFUSED;
    }
}
