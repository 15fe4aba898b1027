package io.nexar;

import java.util.List;

/**
 * A message that was taken out of matching by {@link Communicator#match}: it waits for its buffer,
 * and no other receive can get it. It can be received once, from any thread. One that never is
 * holds nobody up: a small message lies here until this object is unreachable and costs its sender
 * no credit any more; of a large one the bytes stay at the sender, whose send waits.
 */
public interface IncomingMessage {

    /** Who sent it, with which tag, and how long it is. Does not block. */
    Status status();

    /**
     * Receives it; blocks until all of it is there. Errors are those of {@link
     * Communicator#receive(DataBuffer, int, int)}; after a {@link DeadlineException} it may be
     * tried again.
     *
     * @throws ClosedException of {@link Scope#OPERATION} if the sender has taken a large message
     *     back meanwhile: its deadline has passed, or it was cancelled
     * @throws IllegalStateException if it was received before
     */
    Status receive(DataBuffer buffer);

    /** Receives it into several places, filling one after the other. */
    Status receive(List<DataBuffer> buffers);
}
