package io.nexar.fabric;

import io.nexar.transport.Lane;
import io.nexar.transport.SendResult;
import io.nexar.wire.AbortReason;
import io.nexar.wire.CallNote;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * What one peer is to be told of this rank's collectives on a channel: which it is in, and why they
 * failed. Guarded by the progress lock.
 */
final class CallNotices {
    /** Notes on their way; a peer that asks faster than its lane takes answers gets fewer. */
    private static final int CALLS_MAX = 4;

    private final ArrayDeque<CallNote> calls = new ArrayDeque<>();
    private @Nullable AbortReason abort;
    private boolean isAborted;

    /** The peer is to be told that a collective has failed here; the first reason counts. */
    void add(AbortReason reason) {
        if (abort == null && !isAborted) {
            abort = reason;
        }
    }

    /** The peer is to be told what this rank is in; evidence comes first and is never dropped. */
    void add(CallNote note) {
        if (note.purpose() == CallNote.Purpose.EVIDENCE) {
            calls.addFirst(note);
        } else if (calls.size() < CALLS_MAX) {
            calls.add(note);
        }
    }

    /** Whether all has been said. */
    boolean isEmpty() {
        return calls.isEmpty() && abort == null;
    }

    /** Says what can be said now; returns the number of frames. */
    int send(PeerPort port, FrameHeader header) {
        int frames = 0;
        for (CallNote note = calls.peek(); note != null; note = calls.peek()) {
            if (!send(port, header, note.encode(header))) {
                return frames;
            }
            calls.remove();
            frames++;
        }
        if (abort != null && send(port, header, abort.encode(header))) {
            abort = null;
            isAborted = true;
            frames++;
        }
        return frames;
    }

    private static boolean send(PeerPort port, FrameHeader header, MemorySegment payload) {
        return port.trySend(Lane.CONTROL, header, payload, null, 0) != SendResult.REFUSED;
    }
}
