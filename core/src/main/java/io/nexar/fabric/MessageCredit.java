package io.nexar.fabric;

/**
 * What one peer has sent of small messages on the credit that it has here, in bytes, and how much
 * of that is to be given back. Guarded by the progress lock.
 */
final class MessageCredit {
    private final FabricSettings settings;
    private long bytesHere;
    private long bytesOwed;

    MessageCredit(FabricSettings settings) {
        this.settings = settings;
    }

    /** Whether the peer may send a small message of that size now. */
    boolean allows(long payloadBytes) {
        long cost = payloadBytes + FabricSettings.MESSAGE_COST_BYTES;
        return payloadBytes <= settings.eagerBytes()
                && bytesHere + cost <= settings.messageCreditBytes();
    }

    /** A message has come; false if it was not allowed. */
    boolean tryCharge(long payloadBytes) {
        boolean isAllowed = allows(payloadBytes);
        bytesHere += payloadBytes + FabricSettings.MESSAGE_COST_BYTES;
        return isAllowed;
    }

    void owe(long bytes) {
        bytesOwed += bytes;
    }

    long bytesOwed() {
        return bytesOwed;
    }

    /** Whether so much is owed that the peer should hear of it. */
    boolean isDue() {
        return bytesOwed >= settings.messageCreditBytes() / 4;
    }

    /** All that was owed has been given back. */
    void returned() {
        bytesHere -= bytesOwed;
        bytesOwed = 0;
    }
}
