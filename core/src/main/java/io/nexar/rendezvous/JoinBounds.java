package io.nexar.rendezvous;

/**
 * How much of anything a join message may carry, so that a peer can't make the other side hold
 * more.
 */
final class JoinBounds {

    private JoinBounds() {}

    /**
     * Job ids, tokens, host identities, transport names: the longest legal one has 86 characters.
     */
    static final int NAME_BYTES_MAX = 128;

    /** {@code [IPv6%scope]:port} has at most 64 characters; a host name at most 253. */
    static final int ADDRESS_BYTES_MAX = 272;

    /** A reason is for people; what is longer is cut by its sender. */
    static final int REASON_BYTES_MAX = 2048;

    /** Options that must agree in a job: there are about ten, with short values. */
    static final int SETTINGS_MAX = 64;

    static final int SETTING_BYTES_MAX = 256;

    /**
     * A P-256 signing request has 250 bytes, a certificate 500; with a user's RSA authority 2,000.
     */
    static final int DER_BYTES_MAX = 8 * 1024;

    /** local, shm, quic, tcp and two of a user's own. */
    static final int TRANSPORTS_MAX = 6;

    /** Addresses of one transport: IPv4 and IPv6 of two networks, twice. */
    static final int CANDIDATES_MAX = 8;

    /**
     * A member's addresses together, so that a part of the roster stays below a message's limit.
     */
    static final int ENTRY_BYTES_MAX = 3 * 1024;

    /** 16 members of {@link #ENTRY_BYTES_MAX} stay below {@link JoinCodec#MESSAGE_BYTES_MAX}. */
    static final int ROSTER_PART_MEMBERS = 16;

    /** Missing ranks that an error lists; nobody reads more. */
    static final int MISSING_MAX = 1024;

    /** Ranks of one job. Each costs the seed a connection; the figure only stops nonsense. */
    static final int WORLD_SIZE_MAX = 1 << 16;
}
