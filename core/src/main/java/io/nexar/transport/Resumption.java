package io.nexar.transport;

import io.nexar.ProtocolException;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;
import io.nexar.wire.LaneCounts;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * How a base link carries on when the fast one before it has kept. Each side says RESUME on the
 * base, once: how many frames of each lane it has handled on the fast link, from which it takes no
 * more. Whoever hears that sends the frames behind them again, on the base, lane by lane, and from
 * then on everything. So no frame is lost, none comes twice, and lanes keep their order, whoever
 * notices first. The polling thread's.
 */
final class Resumption {
    private final Link base;
    private final @Nullable KeptFrames kept;
    private final MemorySegment counts;
    private final FrameHeader header = new FrameHeader();
    private boolean isSaid;
    private boolean isHeard;
    private int lanesDone;

    /**
     * @param kept by the fast link; null if this side has never had one
     */
    Resumption(Link base, @Nullable KeptFrames kept) {
        this.base = base;
        this.kept = kept;
        this.counts = KeptFrames.handledCounts(kept);
    }

    /** Whether the peer may send on the base: it has been told from where. */
    boolean isSaid() {
        return isSaid;
    }

    /** Whether new frames of that lane may go on the base: the old ones have. */
    boolean isDone(Lane lane) {
        return (lanesDone & 1 << lane.ordinal()) != 0;
    }

    /** Whether the fast link is of no more use. */
    boolean isOver() {
        return isSaid && lanesDone == (1 << Lane.COUNT) - 1;
    }

    /** The peer says what it has handled. */
    void hear(MemorySegment payload) {
        if (isHeard) {
            throw new ProtocolException(base.peer().toString(), "resumed twice");
        }
        isHeard = true;
        int[] handled = LaneCounts.decode(base.peer().toString(), payload, Lane.COUNT);
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            if (kept != null) {
                kept.acknowledge(Lane.of(lane), handled[lane]);
            } else if (handled[lane] != 0) {
                throw new ProtocolException(
                        base.peer().toString(),
                        "has handled frames of a fast link that was never sent on");
            }
        }
    }

    /** Says and sends again what is due, as far as the base takes it. Returns how much that was. */
    int advance() {
        int count = isSaid ? 0 : say();
        for (int lane = 0; isHeard && lane < Lane.COUNT; lane++) {
            if (!isDone(Lane.of(lane))) {
                count += resend(Lane.of(lane));
            }
        }
        if (count > 0) {
            base.flush();
        }
        return count;
    }

    private int say() {
        header.reset(FrameKind.RESUME).payloadBytes(counts.byteSize());
        isSaid = base.trySend(Lane.CONTROL, header, counts, token -> {}, 0) != SendResult.REFUSED;
        return isSaid ? 1 : 0;
    }

    private int resend(Lane lane) {
        int count = 0;
        while (kept != null && kept.isKeeping(lane)) {
            if (kept.resend(lane, base) == SendResult.REFUSED) {
                return count;
            }
            count++;
        }
        lanesDone |= 1 << lane.ordinal();
        return count + 1;
    }
}
