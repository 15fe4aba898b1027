package io.nexar.wire;

import java.lang.foreign.MemorySegment;

/**
 * How many frames of each lane a member has handled on a fast link, as 32 bits count: the payload
 * of {@link FrameKind#RESUME} and of an answer {@link FrameKind#HANDLED}, a u32 a lane.
 */
public final class LaneCounts {
    /** No counts: a question. */
    public static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

    private LaneCounts() {}

    public static MemorySegment encode(int[] counts) {
        PayloadWriter writer = new PayloadWriter(counts.length * Integer.BYTES);
        for (int count : counts) {
            writer.i32(count);
        }
        return writer.payload();
    }

    /** What {@code peer} says of so many lanes; another length is a protocol error. */
    public static int[] decode(String peer, MemorySegment payload, int lanes) {
        PayloadReader reader = new PayloadReader(peer, "a count of handled frames", payload);
        int[] counts = new int[lanes];
        for (int lane = 0; lane < lanes; lane++) {
            counts[lane] = reader.i32();
        }
        reader.end();
        return counts;
    }
}
