package io.nexar.transport;

import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/** Takes the frames that a link delivers. */
@FunctionalInterface
public interface FrameHandler {
    /**
     * Takes one frame, in the thread that polls.
     *
     * @param header valid during the call only
     * @param payload exactly {@code header.payloadBytes()} bytes, valid during the call only,
     *     possibly the sender's own memory: read it, never write it
     * @throws io.nexar.ProtocolException if the peer sent what it must not; the link then closes
     */
    void onFrame(Link link, Lane lane, FrameHeader header, MemorySegment payload);

    /**
     * Whether this frame's payload, in whatever memory, is to be read where it is, and the handler
     * then asks {@link Link#finishReading} before anything follows from what it has read. So it can
     * be shown the memory of a peer that is still there, without a copy. Asked as {@link
     * #destination} is, and instead of it.
     */
    default boolean readsInPlace(Link link, Lane lane, FrameHeader header) {
        return false;
    }

    /**
     * Says where this frame's payload is to go, for a link that can bring it there without a copy.
     * A link may ask once it knows the header and before it delivers the frame, in the thread that
     * polls; it need not, and may ask again as the payload comes in parts. Nothing changes by being
     * asked. Once it has been told a place, it writes there and nowhere else, only during a {@code
     * poll}, and hands that very segment to {@link #onFrame}; unless its connection breaks in the
     * middle of the frame, which another link then shows from its beginning.
     *
     * <p>The place may change between two polls (a receive that gave up, whose message is kept for
     * the next one): what was written so far is then in the new one too. Or it may vanish (a call
     * that has failed): the answer is then null, the bytes written so far are lost, and so may be
     * the rest, since nobody wants them: {@code onFrame} then gets a payload of the right length
     * and of any content.
     *
     * @return exactly {@code header.payloadBytes()} bytes, or null: the payload is to be shown
     */
    default @Nullable MemorySegment destination(Link link, Lane lane, FrameHeader header) {
        return null;
    }
}
