package io.nexar.transport.shm;

/**
 * How a frame lies in a ring: on a cache line of its own, with its header; a payload that does not
 * fit behind it begins on the next line.
 *
 * <pre>
 *  0 u32 mode | 4 u32 number of the line, from 1 | 8 the frame's header
 * 48 up to 16 bytes of payload
 * 64 a longer payload, and what fills its last line
 * </pre>
 */
final class RingRecord {
    static final int LINE = 64;
    static final int HEADER = 8;

    /** All of it is there. */
    static final int WHOLE = 1;

    /** The payload is there up to the tail. */
    static final int STREAMED = 2;

    /** It was {@link #STREAMED} and is nothing: its sender could not read it to the end. */
    static final int VOID = 3;

    /** The payload lies in its sender's memory; its address is here. */
    static final int LENT = 4;

    static final int ADDRESS_AT = 48;

    /** What is left of the first line. */
    static final int SHORT_BYTES = 16;

    private static final int SHORT_AT = 48;

    /**
     * Up to here a payload is written before it is shown: to copy it takes no longer than to tell
     * the other core twice.
     */
    static final int AT_ONCE_BYTES = 4096;

    /** How much of a longer one is written before the reader hears of it. */
    static final int STEP_BYTES = 8192;

    private RingRecord() {}

    /** Longer payloads never lie in the ring as a whole: a second one must fit beside. */
    static long wholeBytesMax(long capacity) {
        return capacity / 2 - 2 * LINE;
    }

    static long totalBytes(long payloadBytes) {
        return payloadBytes <= SHORT_BYTES ? LINE : LINE + padded(payloadBytes);
    }

    static long payloadAt(long payloadBytes) {
        return payloadBytes <= SHORT_BYTES ? SHORT_AT : LINE;
    }

    static long padded(long bytes) {
        return (bytes + LINE - 1) & -LINE;
    }

    /** The first word of a record at this position; never 0. */
    static long word(long position, int mode) {
        return (position / LINE + 1) << 32 | mode;
    }
}
