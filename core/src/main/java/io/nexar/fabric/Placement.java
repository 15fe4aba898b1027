package io.nexar.fabric;

import io.nexar.memory.InPlace;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Where the small message that is coming from one peer goes while it comes: straight to the receive
 * that it will meet. It meets it only once it is whole and checked. Should that receive give up
 * before, what has come is kept aside, and so is the rest, for whoever gets the message then.
 * Guarded by the progress lock.
 */
final class Placement {
    private long number;
    private @Nullable MemorySegment place;

    /** Whose memory it is; null: it is kept aside. */
    private @Nullable ReceiveOperation receive;

    /**
     * The place for all of a message; null if it has none, and is to be shown.
     *
     * @param first who will get it as things are: the first that matches; null: nobody
     */
    @Nullable MemorySegment of(FrameHeader header, int rank, @Nullable MessageWait first) {
        if (place != null && number == header.sequence()) {
            if (receive != null && (receive != first || receive.isDone())) {
                keepAside();
            }
        } else if (first instanceof ReceiveOperation posted && posted.source == rank) {
            // One from any rank may meet another's message before this one has come.
            claim(posted, header);
        } else {
            forget();
        }
        return place;
    }

    private void claim(ReceiveOperation posted, FrameHeader header) {
        forget();
        MemorySegment offered = posted.placeForAll(header.payloadBytes());
        // What its owner can close is lost with what has come of the message.
        if (offered != null && InPlace.isKept(offered)) {
            number = header.sequence();
            place = offered;
            receive = posted;
            posted.expected = this;
        }
    }

    /** The receive gives up: its memory is its owner's again. */
    void keepAside() {
        MemorySegment there = place;
        if (there != null && receive != null) {
            place = Arena.ofAuto().allocate(there.byteSize()).copyFrom(there);
            receive.expected = null;
            receive = null;
        }
    }

    /** The message is here, or another one. */
    void forget() {
        if (receive != null) {
            receive.expected = null;
        }
        receive = null;
        place = null;
    }
}
