package io.nexar.transport.tcp;

/**
 * What strangers and lanes may cost.
 *
 * @param strangersMax how many accepted connections there may be that are no links yet; one more
 *     drops the oldest
 * @param handshakeNanosMax how long each may take
 * @param windowBytes what a lane may have sent that the peer has not handled
 * @param lookNanos how often links are looked at for silence
 */
record Limits(int strangersMax, long handshakeNanosMax, int windowBytes, long lookNanos) {
    /** A few looks fit into the time after which a person would begin to wonder. */
    private static final long LOOK_NANOS = 1_000_000_000L;

    /**
     * A job of 500 that dials at one moment gets through; at about 100 KiB each, whoever holds all
     * of them costs 50 MiB.
     */
    private static final int STRANGERS_MAX = 512;

    /** As on QUIC: a handshake takes milliseconds, and seconds on a crowded machine. */
    private static final long HANDSHAKE_NANOS_MAX = 10_000_000_000L;

    Limits(int strangersMax, long handshakeNanosMax, int windowBytes) {
        this(strangersMax, handshakeNanosMax, windowBytes, LOOK_NANOS);
    }

    static Limits of(int windowBytes) {
        return new Limits(STRANGERS_MAX, HANDSHAKE_NANOS_MAX, windowBytes);
    }
}
