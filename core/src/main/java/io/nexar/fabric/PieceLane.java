package io.nexar.fabric;

import io.nexar.transport.SendResult;
import io.nexar.wire.CallNote;
import io.nexar.wire.FrameHeader;

import java.lang.foreign.MemorySegment;

/**
 * The path of one communicator's collectives to its other ranks: what the engine sees of the
 * fabric. An interface, so that a simulated one exists. Guarded by the rank's progress lock.
 */
public interface PieceLane {
    int rank();

    int size();

    /** How many more pieces {@code peer} can take before it consumes one. */
    int credit(int peer);

    /**
     * Offers a piece, spending one credit unless it is refused. {@code PENDING} ends in {@link
     * PieceHandler#onSent}.
     *
     * @param header kind PIECE with everything but the channel set; copied
     */
    SendResult trySend(int peer, FrameHeader header, MemorySegment payload, long token);

    /**
     * Says that the payload that is being shown has been read to its end.
     *
     * @return false if it may have changed meanwhile: then it is as if the piece had not come, and
     *     the loss of its sender follows
     */
    default boolean finishReading(int peer) {
        return true;
    }

    /**
     * Says that {@code pieces} pieces of {@code peer} have been consumed: their credit goes back.
     */
    void release(int peer, int pieces);

    /** Tells a peer what this rank is in, beside the pieces; dropped if the peer is gone. */
    void tell(int peer, CallNote note);
}
