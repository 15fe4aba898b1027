package io.nexar.fabric;

import io.nexar.wire.FrameHeader;

/**
 * The numbers that both ends of a channel must have in common.
 *
 * @param messageCreditBytes what one peer may have unreceived here on one channel: payload plus
 *     {@link #MESSAGE_COST_BYTES} a message
 * @param eagerBytes longest message that is sent before its receive is known
 * @param pieceCredit how many pieces of collectives one peer may have unconsumed here on one
 *     channel
 * @param pieceBytes longest piece, and longest part of a large message
 */
public record FabricSettings(
        long messageCreditBytes, long eagerBytes, int pieceCredit, int pieceBytes) {
    /** What a message costs besides its payload: about what its record takes here. */
    public static final int MESSAGE_COST_BYTES = 64;

    public FabricSettings {
        if (pieceBytes < 1 || pieceBytes > FrameHeader.PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "pieces of %d bytes; 1 to %d are possible"
                            .formatted(pieceBytes, FrameHeader.PAYLOAD_BYTES_MAX));
        }
        if (pieceCredit < 1) {
            throw new IllegalArgumentException(
                    "a credit of " + pieceCredit + " pieces; 1 is least");
        }
        if (eagerBytes < 0 || eagerBytes > FrameHeader.PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "messages of %d bytes at once; 0 to %d are possible"
                            .formatted(eagerBytes, FrameHeader.PAYLOAD_BYTES_MAX));
        }
        if (messageCreditBytes < 2 * (eagerBytes + MESSAGE_COST_BYTES)) {
            throw new IllegalArgumentException(
                    "a message credit of %d bytes; twice an eager message (%d) is least"
                            .formatted(messageCreditBytes, 2 * (eagerBytes + MESSAGE_COST_BYTES)));
        }
    }
}
