package io.nexar.fabric;

import io.nexar.Status;

import org.jspecify.annotations.Nullable;

/** Somebody waits for a message. Guarded by the progress lock. */
public abstract sealed class MessageWait extends Completion
        permits ReceiveOperation, ProbeOperation {
    /** Matches a message from any rank, or with any tag. */
    static final int ANY = -1;

    final int source;
    final int tag;
    long begunNanos;
    private @Nullable Status status;
    private long seenNanos;
    private boolean isSeen;
    private boolean isTold;

    MessageWait(int source, int tag) {
        this.source = source;
        this.tag = tag;
    }

    /** What the caller called. */
    public abstract String operation();

    /** Here is a message that matches. */
    abstract void meet(Arrival message);

    /** When it began; to be asked of one that was not over at once. */
    public long begunNanos() {
        return begunNanos;
    }

    /** Who is to send; -1 for anybody. */
    public int source() {
        return source;
    }

    /** With which tag; -1 for any. */
    public int tag() {
        return tag;
    }

    /** Looks at it; returns how long ago the first look was. */
    public long look(long nowNanos) {
        if (!isSeen) {
            isSeen = true;
            seenNanos = nowNanos;
        }
        return nowNanos - seenNanos;
    }

    /** Notes that somebody has been told of its long wait. */
    public void markTold() {
        isTold = true;
    }

    public boolean isTold() {
        return isTold;
    }

    /** What came. To be asked once this is done without failure. */
    public Status status() {
        Status result = status;
        if (result == null) {
            throw new IllegalStateException("no message has come");
        }
        return result;
    }

    boolean matches(Arrival message) {
        return matches(message.source, message.tag);
    }

    boolean matches(int from, int with) {
        return (source == ANY || source == from) && (tag == ANY || tag == with);
    }

    boolean isMatched() {
        return status != null;
    }

    void matched(@Nullable Status matchedStatus) {
        status = matchedStatus;
    }
}
