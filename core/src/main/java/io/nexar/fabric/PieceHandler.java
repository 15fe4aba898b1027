package io.nexar.fabric;

import io.nexar.wire.CallNote;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/** Takes what arrives on a {@link PieceLane}; called with the rank's progress lock held. */
public interface PieceHandler {
    /**
     * Takes a piece. Header and payload are valid during the call only: the handler uses them up or
     * copies them, and calls {@link PieceLane#release} when the piece has been consumed.
     *
     * @return whether there is something to send now, so that the engine wants a turn in this pass
     * @throws io.nexar.ProtocolException if no honest peer could have sent it
     */
    boolean onPiece(int peer, FrameHeader header, MemorySegment payload);

    /**
     * Whether this piece, were it handed over now, would be read where it is shown, and {@link
     * PieceLane#finishReading} asked before anything follows from it.
     */
    default boolean readsInPlace(int peer, FrameHeader header) {
        return false;
    }

    /**
     * Where the payload of this piece is to go if it is to be taken in as it is; null if it is to
     * be shown. Nothing changes by being asked; a piece that was brought there is handed to {@link
     * #onPiece} as that segment.
     */
    default @Nullable MemorySegment destination(int peer, FrameHeader header) {
        return null;
    }

    /** The memory of a pending piece is free again. */
    void onSent(long token);

    /** A peer tells what it is in, and may ask for the same. */
    void onCall(int peer, CallNote note);

    /** Nothing more will come from this peer: calls that need it end with this failure. */
    void onPeerLost(int peer, RuntimeException failure);
}
