package io.nexar.fabric;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.transport.Lane;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;
import io.nexar.wire.Utf8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;

/**
 * What one member tells others outside of any channel, on the CONTROL lane: a kind, a number, a
 * reason in words. Few, and in order; one that a link does not take now waits for the next pass.
 * Guarded by the progress lock.
 */
final class Notices {
    /** A reason is a sentence or two. */
    private static final int TEXT_BYTES_MAX = 2048;

    private final FrameHeader header = new FrameHeader();
    private final ArrayDeque<Notice> waiting = new ArrayDeque<>();

    private record Notice(Peer to, FrameKind kind, long number, MemorySegment text) {}

    /** To each of them, as far as they are there. */
    void tell(Collection<Peer> peers, FrameKind kind, long number, String reason) {
        MemorySegment text = MemorySegment.ofArray(Utf8.cut(reason, TEXT_BYTES_MAX));
        peers.forEach(peer -> waiting.add(new Notice(peer, kind, number, text)));
    }

    /** Sends what the links take. Returns the number of frames. */
    int advance() {
        int before = waiting.size();
        if (before > 0) {
            waiting.removeIf(this::isDone);
        }
        return before - waiting.size();
    }

    /** Whether something waits for that peer's link to take it. */
    boolean isOwedTo(Peer peer) {
        for (Notice notice : waiting) {
            if (notice.to() == peer) {
                return true;
            }
        }
        return false;
    }

    private boolean isDone(Notice notice) {
        if (notice.to().link() == null || notice.to().isGone()) {
            return true;
        }
        header.reset(notice.kind())
                .sequence(notice.number())
                .payloadBytes(notice.text().byteSize());
        return notice.to().trySend(Lane.CONTROL, header, notice.text(), PeerPort.NOBODY, 0)
                != SendResult.REFUSED;
    }

    /** The words of a notice that came from a peer. */
    static String text(MemberId peer, MemorySegment payload) {
        if (payload.byteSize() > TEXT_BYTES_MAX) {
            throw new ProtocolException(
                    peer.toString(), "gave a reason of " + payload.byteSize() + " bytes");
        }
        return new String(payload.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
