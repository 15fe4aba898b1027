package io.nexar.transport;

import io.nexar.ProtocolException;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import java.lang.foreign.MemorySegment;

/**
 * Which lanes of a base link have come to their end, because a fast link goes on from there: a
 * SWITCH is the last frame of each, in each direction. The polling thread's.
 */
final class ChangeOver {
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private static final int ALL_LANES = (1 << Lane.COUNT) - 1;

    private final Link base;
    private final FrameHeader header = new FrameHeader();
    private int lanesSaid;
    private int lanesHeard;

    ChangeOver(Link base) {
        this.base = base;
    }

    /** Says it on each lane, as far as the base takes it; true once all is said. */
    boolean say() {
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            if ((lanesSaid & 1 << lane) == 0) {
                header.reset(FrameKind.SWITCH);
                SendResult result = base.trySend(Lane.of(lane), header, NOTHING, token -> {}, 0);
                lanesSaid |= result == SendResult.REFUSED ? 0 : 1 << lane;
            }
        }
        base.flush();
        return lanesSaid == ALL_LANES;
    }

    /** A lane of the base is at its end. */
    void hear(Lane lane) {
        if (isHeard(lane)) {
            throw new ProtocolException(
                    base.peer().toString(), "changed over twice on the lane " + lane);
        }
        lanesHeard |= 1 << lane.ordinal();
    }

    boolean isHeard(Lane lane) {
        return (lanesHeard & 1 << lane.ordinal()) != 0;
    }

    boolean isHeardOfAll() {
        return lanesHeard == ALL_LANES;
    }
}
