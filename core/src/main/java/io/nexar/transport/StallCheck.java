package io.nexar.transport;

import io.nexar.ProtocolException;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;
import io.nexar.wire.LaneCounts;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Finds out about a connection that lets nothing through any more and tells nobody: the peer is
 * asked on the base how many frames it has handled. A peer that is busy does not answer, and one
 * that has handled all has nothing to say; but one that answers twice, seconds apart, that it has
 * not got on, though more was sent, does not hear it. The polling thread's.
 */
final class StallCheck {
    /** In the flags of HANDLED. */
    private static final int QUESTION = 1;

    private final Link base;
    private final FrameHeader header = new FrameHeader();
    private boolean isAnswerAwaited;
    private boolean isAnswerDue;
    private int @Nullable [] lastAnswer;

    StallCheck(Link base) {
        this.base = base;
    }

    /** Asks and answers what is due; for when there is nothing else to do. */
    int advance(@Nullable BreakableLink fast) {
        int count = 0;
        if (isAnswerDue) {
            MemorySegment counts = KeptFrames.handledCounts(fast == null ? null : fast.kept());
            isAnswerDue = !isSent(header.reset(FrameKind.HANDLED), counts);
            count++;
        }
        if (fast != null && fast.takeSilence() && !isAnswerAwaited) {
            header.reset(FrameKind.HANDLED).flags(QUESTION);
            isAnswerAwaited = isSent(header, LaneCounts.NONE);
            count++;
        }
        return count;
    }

    private boolean isSent(FrameHeader frame, MemorySegment payload) {
        frame.payloadBytes(payload.byteSize());
        boolean isTaken =
                base.trySend(Lane.CONTROL, frame, payload, token -> {}, 0) != SendResult.REFUSED;
        base.flush();
        return isTaken;
    }

    /** Takes a HANDLED; true if it shows that the fast link lets nothing through. */
    boolean hear(FrameHeader frame, MemorySegment payload, @Nullable BreakableLink fast) {
        if (frame.flags() == QUESTION) {
            isAnswerDue = true;
            return false;
        }
        if (!isAnswerAwaited || fast == null) {
            throw new ProtocolException(base.peer().toString(), "answered what nobody has asked");
        }
        isAnswerAwaited = false;
        int[] handled = LaneCounts.decode(base.peer().toString(), payload, Lane.COUNT);
        boolean isBehind = false;
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            isBehind |= fast.kept().isAhead(Lane.of(lane), handled[lane]);
        }
        if (!isBehind) {
            fast.excuseSilence();
        }
        boolean isStalled = isBehind && Arrays.equals(handled, lastAnswer);
        lastAnswer = handled;
        return isStalled;
    }
}
