package io.nexar.transport.tcp;

import io.nexar.ProtocolException;
import io.nexar.memory.ClosedArena;
import io.nexar.memory.InPlace;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Cuts what arrives into frames. A small frame is shown where it was decrypted. The payload of a
 * large one goes straight to the place that its receiver names, or is gathered; so a frame may be
 * larger than any buffer but that, and half of one waits as long as it must. The polling thread's.
 */
final class Incoming {
    /** One record that ends a payload and begins the next frame, behind what is left of another. */
    private static final int PLAIN_BYTES = 2 * Wire.SEAL_BYTES_MAX + 1024;

    private final Wire wire;
    private final Handled handled;
    private final ByteBuffer plain;
    private final MemorySegment plainView;
    private int at;

    private final FrameHeader header = new FrameHeader();
    private int lane;
    private int acknowledged;

    /** Whether the header is that of a frame whose payload is still coming. */
    private boolean isInPayload;

    private int arrived;
    private @Nullable MemorySegment place;
    private @Nullable ByteBuffer placeView;
    private boolean isNamed;
    private MemorySegment gathered = MemorySegment.NULL;
    private MemorySegment payload = MemorySegment.NULL;

    /** Where in {@code plain} the payload lies that was shown last; -1: elsewhere. */
    private int shownFrom = -1;

    private @Nullable String closeReason;

    Incoming(Wire wire, Handled handled) {
        this.wire = wire;
        this.handled = handled;
        this.plain = wire.allocate(PLAIN_BYTES);
        this.plainView = MemorySegment.ofBuffer(plain);
    }

    FrameHeader header() {
        return header;
    }

    int lane() {
        return lane;
    }

    /** The payload of the frame that {@link #next} has found. */
    MemorySegment payload() {
        return payload;
    }

    /** What the peer said as it closed the link, behind its last frame. */
    @Nullable String closeReason() {
        return closeReason;
    }

    /** What {@link #next} has found. */
    enum Found {
        FRAME,
        ACK,
        CLOSE,
        /** No more now, until more bytes are brought. */
        NOTHING
    }

    /**
     * The lane of an ACK and of a FRAME, and how many frames of ours the peer has handled there.
     */
    int acknowledged() {
        return acknowledged;
    }

    /** A new poll: the place of a payload that is under way may have vanished since the last. */
    void begin(FrameHandler handler, Link link) {
        wire.beginReading();
        if (isInPayload && isNamed) {
            noteArrived();
            MemorySegment now = handler.destination(link, Lane.of(lane), header);
            if (now == null) {
                lose();
            } else if (!now.equals(place)) {
                goOnIn(now); // what has come so far lies there as well
            }
        }
    }

    private void goOnIn(MemorySegment named) {
        place = named;
        placeView = InPlace.isKept(named) ? viewOf(named) : null;
    }

    /** The rest of the payload is of no use: it is read and dropped. */
    private void lose() {
        isNamed = false;
        place = gather();
        placeView = viewOf(place);
    }

    /** Whether {@link #next} goes on with a frame. */
    boolean isAtFrame() {
        return isInPayload
                || (plain.position() - at >= Packet.BYTES
                        && Packet.type(plainView, at) == Packet.FRAME);
    }

    /** Goes on to the next packet in what has been brought. */
    Found next(FrameHandler handler, Link link) {
        if (isInPayload) {
            return hasPayload() ? Found.FRAME : Found.NOTHING;
        }
        int available = plain.position() - at;
        if (available < Packet.BYTES) {
            return Found.NOTHING;
        }
        lane = Packet.lane(plainView, at);
        return switch (Packet.type(plainView, at)) {
            case Packet.FRAME -> beginFrame(available, handler, link);
            case Packet.ACK -> acknowledgement();
            case Packet.CLOSE -> close(available);
            default ->
                    throw new ProtocolException(
                            "a packet of type " + Packet.type(plainView, at) + "; 1 to 3 exist");
        };
    }

    private void requireLane() {
        if (lane >= Lane.COUNT) {
            throw new ProtocolException(
                    "a packet for lane " + lane + "; 0 to " + (Lane.COUNT - 1) + " exist");
        }
    }

    private Found acknowledgement() {
        requireLane();
        acknowledged = Packet.value(plainView, at);
        at += Packet.BYTES;
        return Found.ACK;
    }

    private Found beginFrame(int available, FrameHandler handler, Link link) {
        if (available < Packet.FRAME_BYTES) {
            return Found.NOTHING;
        }
        requireLane();
        header.decode(plainView, at + Packet.BYTES);
        acknowledged = Packet.value(plainView, at);
        int size = header.payloadBytes();
        if (available - Packet.FRAME_BYTES >= size) {
            payload = shown(at + Packet.FRAME_BYTES, size);
            at += Packet.FRAME_BYTES + size;
            return Found.FRAME;
        }
        at += Packet.FRAME_BYTES;
        isInPayload = true;
        arrived = 0;
        MemorySegment named = handler.destination(link, Lane.of(lane), header);
        if (named != null && named.byteSize() != size) {
            throw new IllegalStateException(
                    "a place of " + named.byteSize() + " bytes for a payload of " + size);
        }
        isNamed = named != null;
        place = named == null ? gather() : named;
        placeView = named == null || InPlace.isKept(named) ? viewOf(place) : null;
        return hasPayload() ? Found.FRAME : Found.NOTHING;
    }

    /** A steady loop finds as much at the same place as the last time: no new object for it. */
    private MemorySegment shown(int from, int size) {
        boolean isSame = shownFrom == from && payload.byteSize() == size;
        shownFrom = from;
        return isSame ? payload : plainView.asSlice(from, size);
    }

    private MemorySegment gather() {
        if (gathered.byteSize() == 0) {
            gathered = Arena.ofAuto().allocate(FrameHeader.PAYLOAD_BYTES_MAX, 64);
        }
        return gathered.asSlice(0, header.payloadBytes());
    }

    private ByteBuffer viewOf(MemorySegment memory) {
        return memory.asByteBuffer().position(arrived);
    }

    /** Takes what has been brought of the payload; true if that is all of it. */
    private boolean hasPayload() {
        MemorySegment target = java.util.Objects.requireNonNull(place);
        int size = header.payloadBytes();
        noteArrived();
        int more = Math.min(size - arrived, plain.position() - at);
        if (more > 0) {
            keep(target, more);
        }
        if (arrived < size) {
            return false;
        }
        payload = java.util.Objects.requireNonNull(place);
        shownFrom = -1;
        isInPayload = false;
        place = null;
        placeView = null;
        return true;
    }

    /** What was decrypted straight into the place. */
    private void noteArrived() {
        if (placeView != null) {
            arrived = placeView.position();
        }
    }

    private void keep(MemorySegment target, int more) {
        try {
            MemorySegment.copy(plainView, at, target, arrived, more);
        } catch (IllegalStateException closed) {
            ClosedArena.forgetInterrupt();
            lose();
        }
        at += more;
        arrived += more;
        if (placeView != null) {
            placeView.position(arrived);
        }
    }

    private Found close(int available) {
        int size = Packet.value(plainView, at);
        if (size < 0 || size > Packet.REASON_BYTES_MAX) {
            throw new ProtocolException(
                    "a close with a reason of %s bytes; at most %d are allowed"
                            .formatted(Integer.toUnsignedString(size), Packet.REASON_BYTES_MAX));
        }
        if (available < Packet.BYTES + size) {
            return Found.NOTHING;
        }
        byte[] text = new byte[size];
        MemorySegment.copy(plainView, at + Packet.BYTES, MemorySegment.ofArray(text), 0, size);
        closeReason =
                new String(text, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ").strip();
        at += Packet.BYTES + size;
        return Found.CLOSE;
    }

    /**
     * Brings more bytes; for when {@link #next} has found nothing more.
     *
     * @return how many; 0: none now; -1: the peer has ended the connection
     */
    int bring() throws IOException {
        int left = plain.position() - at;
        if (left == 0) {
            plain.clear();
        } else if (at > 0) {
            plain.limit(plain.position()).position(at);
            plain.compact();
        }
        at = 0;
        return wire.read(placeView, plain);
    }

    /** A frame has been handled: the peer may forget it. */
    void passed() {
        handled.add(lane, header.payloadBytes());
    }

    boolean isInsideFrame() {
        return isInPayload || plain.position() > at;
    }
}
