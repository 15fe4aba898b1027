package io.nexar.wire;

import io.nexar.ProtocolException;

/** What a frame is for. The codes are part of the protocol: append, never renumber. */
public enum FrameKind {
    /** Binds the sender's channel number to a communicator path (the payload). */
    OPEN(1),
    /** A piece of a collective: sequence, slice, ordinal and fragment say which. */
    PIECE(2),
    /** A whole small message, sent on credit. */
    MESSAGE(3),
    /** Announces a large message; its bytes follow once memory waits for them. */
    ANNOUNCE(4),
    /** The receiver's memory waits: the announced message may flow. */
    GRANT(5),
    /** A part of a granted message. */
    DATA(6),
    /** Returns credit: how much the receiver has consumed. */
    CREDIT(7),
    /** A collective failed on the sender; the payload is the reason. */
    ABORT(8),
    /** The sender will send nothing more on this lane. */
    GOODBYE(9),
    /** The goodbyes of all lanes have arrived. */
    GOODBYE_ACK(10),
    /** Nothing to say, still here. */
    HEARTBEAT(11),
    /** The announced message will not be sent: its sender gave up before the grant. */
    WITHDRAW(12),
    /** What the sender is in on this channel, so that the two can be compared; may ask in turn. */
    CALL(13),
    /** The sender has closed this channel: nothing more of it will come on this lane. */
    CLOSE(14),
    /**
     * Somebody ends the job on all ranks; the payload is the reason. Of the link, not a channel.
     */
    END(15),
    /** The sender has given a member up; the payload is the reason. Of the link, not a channel. */
    LOST(16),
    /** What follows on this lane comes on the fast link. Of a backed link, nobody else sees it. */
    SWITCH(17),
    /**
     * The fast link has broken: how many frames of each lane the sender has handled on it, after
     * which it goes on here. Of a backed link, nobody else sees it.
     */
    RESUME(18),
    /**
     * The fast link is silent: how many frames of each lane has the peer handled on it? Or the
     * answer. Of a backed link, nobody else sees it.
     */
    HANDLED(19);

    private static final FrameKind[] BY_CODE = byCode();

    private final int code;

    FrameKind(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Returns the kind with this code; an unknown one is a {@link ProtocolException}. */
    public static FrameKind of(int code) {
        FrameKind kind = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
        if (kind == null) {
            throw new ProtocolException(
                    "unknown frame kind "
                            + code
                            + "; protocol version "
                            + FrameHeader.PROTOCOL_VERSION
                            + " knows 1 to "
                            + (BY_CODE.length - 1));
        }
        return kind;
    }

    private static FrameKind[] byCode() {
        FrameKind[] table = new FrameKind[values().length + 1];
        for (FrameKind kind : values()) {
            table[kind.code] = kind;
        }
        return table;
    }
}
