package io.nexar.transport.quic;

import java.util.function.Consumer;

/**
 * How much is spent on connections that are no links yet.
 *
 * @param pendingMax how many there may be at once
 * @param handshakeMillisMax how long each may take
 * @param refusals hears of each that did not become a link, and why
 */
record Strangers(int pendingMax, long handshakeMillisMax, Consumer<String> refusals) {
    /**
     * A job of 500 that dials at one moment gets through; at about 100 KiB each, whoever holds all
     * of them costs 50 MiB.
     */
    private static final int PENDING_MAX = 512;

    /** Several lost packets in a row; a handshake takes milliseconds. */
    private static final long HANDSHAKE_MILLIS_MAX = 10_000;

    static Strangers telling(Consumer<String> refusals) {
        return new Strangers(PENDING_MAX, HANDSHAKE_MILLIS_MAX, refusals);
    }
}
