package io.nexar.fabric;

import io.nexar.ClosedException;
import io.nexar.NexarException;
import io.nexar.PeerLeftException;
import io.nexar.PeerLostException;
import io.nexar.ProtocolException;
import io.nexar.Scope;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The reason of an ABORT frame: flags say of what kind it is, the tag which rank it is about, the
 * payload what happened. So the ranks that a failure did not reach end with the same reason.
 */
final class Aborts {
    /** Flags: something else; the payload tells. */
    private static final int OTHER = 0;

    private static final int PEER_LOST = 1;
    private static final int PEER_LEFT = 2;

    /** A reason is a sentence or two. */
    private static final int TEXT_BYTES_MAX = 2048;

    private Aborts() {}

    /** Fills the header, but for the channel, and returns the payload. */
    static MemorySegment encode(RuntimeException reason, FrameHeader header) {
        header.reset(FrameKind.ABORT);
        String text =
                switch (reason) {
                    case PeerLostException lost -> {
                        header.flags(PEER_LOST).tag(lost.rank());
                        yield lost.reason();
                    }
                    case PeerLeftException left -> {
                        header.flags(PEER_LEFT).tag(left.rank());
                        yield left.reason();
                    }
                    default -> {
                        header.flags(OTHER);
                        yield reason.toString();
                    }
                };
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment payload = MemorySegment.ofArray(bytes);
        long length = Math.min(bytes.length, TEXT_BYTES_MAX);
        header.payloadBytes(length);
        return payload.asSlice(0, length);
    }

    /**
     * The failure that this rank's calls end with.
     *
     * @param peer who sent it
     * @param size ranks of the communicator
     */
    static NexarException decode(int peer, int size, FrameHeader header, MemorySegment payload) {
        if (payload.byteSize() > TEXT_BYTES_MAX) {
            throw new ProtocolException(
                    "rank " + peer, "gave a reason of " + payload.byteSize() + " bytes");
        }
        String text = new String(payload.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        int about = header.tag();
        if (header.flags() != OTHER && (about < 0 || about >= size)) {
            throw new ProtocolException("rank " + peer, "gave up because of rank " + about);
        }
        return switch (header.flags()) {
            case PEER_LOST -> new PeerLostException(null, about, text, Duration.ZERO);
            case PEER_LEFT -> new PeerLeftException(null, about, text);
            default ->
                    new ClosedException(
                            null,
                            "the communicator",
                            "rank " + peer + " gave up: " + text,
                            Scope.COMMUNICATOR);
        };
    }
}
