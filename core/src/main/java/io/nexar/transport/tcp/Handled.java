package io.nexar.transport.tcp;

import io.nexar.transport.Lane;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

/**
 * How many frames of each lane have been handled here, and how many of them the peer has been told
 * of. Told with each frame of the same lane that goes out; else by an ACK, once much has gathered,
 * or as soon as there is nothing else to do where the peer's sender waits for its memory. The
 * polling thread's; {@link Outgoing} reads it under its lock.
 */
final class Handled {
    private final long tellAfterBytes;
    private final int[] frames = new int[Lane.COUNT];
    private final int[] told = new int[Lane.COUNT];
    private final long[] untoldBytes = new long[Lane.COUNT];
    private final boolean[] isAwaited = new boolean[Lane.COUNT];

    /**
     * @param windowBytes what the peer sends on a lane without being told
     */
    Handled(long windowBytes) {
        // What is untold must leave room in the window for the largest frame, or it waits for ever.
        long spare = windowBytes - Packet.FRAME_BYTES - FrameHeader.PAYLOAD_BYTES_MAX;
        this.tellAfterBytes = Math.max(1, Math.min(windowBytes / 4, spare));
    }

    void add(int lane, int payloadBytes) {
        frames[lane]++;
        untoldBytes[lane] += Packet.FRAME_BYTES + payloadBytes;
        isAwaited[lane] |= payloadBytes > SendLane.INLINE_BYTES_MAX && !SendLane.isCopyingAll(lane);
    }

    int frames(int lane) {
        return frames[lane];
    }

    void told(int lane) {
        told[lane] = frames[lane];
        untoldBytes[lane] = 0;
        isAwaited[lane] = false;
    }

    /** Whether the peer may run out of credit before it is told by other means. */
    boolean isDue() {
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            if (untoldBytes[lane] >= tellAfterBytes
                    || frames[lane] - told[lane] >= SendLane.FRAMES_MAX / 4) {
                return true;
            }
        }
        return false;
    }

    /** Whether memory may be lent to some lane, whose owner would like it back. */
    boolean isAwaited() {
        return isAwaitedBut(null);
    }

    /** As above, leaving out the lane that is about to tell anyway. */
    boolean isAwaitedBut(@Nullable SendLane but) {
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            if (isAwaited[lane] && (but == null || but.number() != lane)) {
                return true;
            }
        }
        return false;
    }

    /** Whether to spend an ACK on this lane, while something is sent anyway. */
    boolean isWorthTelling(int lane) {
        return isAwaited[lane]
                || untoldBytes[lane] >= tellAfterBytes
                || frames[lane] - told[lane] >= SendLane.FRAMES_MAX / 4;
    }
}
