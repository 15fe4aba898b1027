package io.nexar.transport;

/**
 * An ordered, separately flow-controlled path in a link: a stalled lane holds up no other. Polled
 * in this order.
 */
public enum Lane {
    /** Credit, grants, aborts, goodbyes, notices: bounded by what the other lanes carry. */
    CONTROL,
    /** Small messages and announcements of large ones: their order is the order of matching. */
    MESSAGE,
    /** Pieces of collectives. */
    COLLECTIVE,
    /** Bytes of large messages, into memory that waits for them. */
    BULK;

    private static final Lane[] ALL = values();

    public static final int COUNT = ALL.length;

    /** Like {@link #values()} without its copy. */
    public static Lane of(int ordinal) {
        return ALL[ordinal];
    }
}
