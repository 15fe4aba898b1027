package io.nexar.transport;

import io.nexar.wire.LaneCounts;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * The frames of a link that the peer has not handled, and how many of the peer's were handled here.
 * The polling thread's.
 */
public interface KeptFrames {
    /** How many frames of that lane were handled here, as 32 bits count. */
    int handled(Lane lane);

    /** The same of all lanes, to be told to the peer; none on a side that has no such link. */
    static MemorySegment handledCounts(@Nullable KeptFrames kept) {
        int[] handled = new int[Lane.COUNT];
        for (int lane = 0; kept != null && lane < Lane.COUNT; lane++) {
            handled[lane] = kept.handled(Lane.of(lane));
        }
        return LaneCounts.encode(handled);
    }

    /**
     * The peer has handled so many frames of that lane: they are freed.
     *
     * @return how many senders were told
     * @throws io.nexar.ProtocolException if that can't be
     */
    int acknowledge(Lane lane, int handled);

    /** Whether more frames of that lane were sent than so many. */
    boolean isAhead(Lane lane, int handled);

    /** Whether a frame of that lane is kept. */
    boolean isKeeping(Lane lane);

    /**
     * Offers the oldest frame that is kept of a lane of a broken link to another, and frees it
     * unless that refuses it. If the other link takes it as pending, it tells the frame's sender
     * itself.
     */
    SendResult resend(Lane lane, Link to);
}
