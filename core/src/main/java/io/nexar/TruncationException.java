package io.nexar;

import org.jspecify.annotations.Nullable;

/**
 * A message was longer than its receive. The message is consumed, what the buffer holds is
 * undefined, and the sender has sent with success.
 */
public final class TruncationException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final transient Status message;
    private final long bufferBytes;

    /**
     * @param message the message: from whom, with which tag, how long
     * @param bufferBytes the receive buffer's size
     */
    public TruncationException(@Nullable OperationContext where, Status message, long bufferBytes) {
        this(where, message, bufferBytes, null);
    }

    private TruncationException(
            @Nullable OperationContext where,
            Status message,
            long bufferBytes,
            @Nullable Throwable cause) {
        super(
                where,
                Scope.OPERATION,
                "the message from rank "
                        + message.source()
                        + " with tag "
                        + message.tag()
                        + " has "
                        + message.bytes()
                        + " bytes, the buffer "
                        + bufferBytes,
                cause);
        this.message = message;
        this.bufferBytes = bufferBytes;
    }

    /** The message's size in bytes. */
    public long messageBytes() {
        return message.bytes();
    }

    /** The receive buffer's size in bytes. */
    public long bufferBytes() {
        return bufferBytes;
    }

    /** The rank that sent the message. */
    public int source() {
        return message.source();
    }

    /** The message's tag. */
    public int tag() {
        return message.tag();
    }

    @Override
    public TruncationException at(OperationContext where) {
        return new TruncationException(where, message, bufferBytes, this);
    }
}
