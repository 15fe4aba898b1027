package io.nexar.collective;

import io.nexar.collective.plan.cost.Slicing;
import io.nexar.wire.FrameHeader;

/**
 * How an engine cuts and paces. All ranks of a communicator must have the same values: the
 * fingerprint of each call contains them.
 *
 * @param pieceBytes what a piece holds at most; a multiple of 16, so that a piece holds whole
 *     elements of every type
 * @param piecesInFlight how many slices of one call are active at once, and so how far a round may
 *     run ahead of the next
 * @param creditPieces how many pieces each peer may send us before we have consumed one
 */
public record EngineSettings(int pieceBytes, int piecesInFlight, int creditPieces) {
    /** The widest element, a pair of two longs. */
    private static final int ELEMENT_BYTES_MAX = 16;

    /** Keeps {@code slice * stride + round} far from overflow, and scratch memory small. */
    private static final int PIECES_IN_FLIGHT_MAX = 1024;

    public EngineSettings {
        if (pieceBytes < ELEMENT_BYTES_MAX
                || pieceBytes > FrameHeader.PAYLOAD_BYTES_MAX
                || pieceBytes % ELEMENT_BYTES_MAX != 0) {
            throw new IllegalArgumentException(
                    "pieceBytes %d: must be a multiple of %d from %d to %d"
                            .formatted(
                                    pieceBytes,
                                    ELEMENT_BYTES_MAX,
                                    ELEMENT_BYTES_MAX,
                                    FrameHeader.PAYLOAD_BYTES_MAX));
        }
        if (piecesInFlight < 1 || piecesInFlight > PIECES_IN_FLIGHT_MAX) {
            throw new IllegalArgumentException(
                    "piecesInFlight %d: must be 1 to %d"
                            .formatted(piecesInFlight, PIECES_IN_FLIGHT_MAX));
        }
        if (creditPieces < 1) {
            throw new IllegalArgumentException(
                    "creditPieces %d: must be 1 or more".formatted(creditPieces));
        }
    }

    /** What a cost model needs of it. */
    public Slicing slicing() {
        return new Slicing(pieceBytes, piecesInFlight);
    }
}
