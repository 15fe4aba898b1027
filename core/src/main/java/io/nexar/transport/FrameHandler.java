package io.nexar.transport;

import io.nexar.wire.FrameHeader;

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
}
