package io.nexar;

import java.util.List;

/**
 * A message that was taken out of matching by {@link Communicator#match}: it waits for its buffer,
 * and no other receive can get it. It must be received once, from any thread; until then it holds
 * the sender's credit.
 */
public interface IncomingMessage {

    /** Who sent it, with which tag, and how long it is. Does not block. */
    Status status();

    /**
     * Receives it; blocks until all of it is there. Errors are those of {@link
     * Communicator#receive(DataBuffer, int, int)}.
     *
     * @throws IllegalStateException if it was received before
     */
    Status receive(DataBuffer buffer);

    /** Receives it into several places, filling one after the other. */
    Status receive(List<DataBuffer> buffers);
}
