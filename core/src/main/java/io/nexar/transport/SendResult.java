package io.nexar.transport;

/** What a link did with a frame: back-pressure is a return value, not an exception. */
public enum SendResult {
    /** The lane is full; nothing was taken. Try again after a later poll. */
    REFUSED,
    /** Taken, and the payload's memory is free again. */
    SENT,
    /** Taken; the payload's memory is in use until {@link SendListener#onSent}. */
    PENDING
}
