package io.nexar.fabric;

import io.nexar.wire.FrameHeader;

/**
 * The numbers that both ends of a channel must have in common.
 *
 * @param messageCreditBytes what one peer may have unreceived here on one channel: payload plus
 *     {@link #MESSAGE_COST_BYTES} a message
 * @param eagerBytes longest message that is sent before its receive is known
 * @param pieceCreditBytes what one peer may have unconsumed of collectives here on one channel, at
 *     most: payload plus {@link #MESSAGE_COST_BYTES} a piece. Each channel has its own number of
 *     pieces within it
 * @param partBytes longest part of a large message
 */
public record FabricSettings(
        long messageCreditBytes, long eagerBytes, long pieceCreditBytes, int partBytes) {
    /** What a message costs besides its payload: about what its record takes here. */
    public static final int MESSAGE_COST_BYTES = 64;

    public FabricSettings {
        if (partBytes < 1 || partBytes > FrameHeader.PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "parts of %d bytes; 1 to %d are possible"
                            .formatted(partBytes, FrameHeader.PAYLOAD_BYTES_MAX));
        }
        if (pieceCreditBytes <= MESSAGE_COST_BYTES) {
            throw new IllegalArgumentException(
                    "a credit of %d bytes for pieces; more than %d is least"
                            .formatted(pieceCreditBytes, MESSAGE_COST_BYTES));
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
