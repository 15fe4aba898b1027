package io.nexar.spi;

import io.nexar.Communicator;
import io.nexar.Membership;
import io.nexar.NexarConfig;

/**
 * What stands behind a {@link io.nexar.Nexar}: one process's running machinery. Not for programs;
 * it is here because the entry class lies below the room that wires everything.
 */
public interface NexarRuntime extends AutoCloseable {

    /** The communicator of all ranks. */
    Communicator world();

    /** The effective settings, secrets and all. */
    NexarConfig config();

    /** Who belongs to the job. */
    Membership membership();

    /**
     * Finishes what runs here, says goodbye, and frees everything, within {@code
     * nexar.timeout.close}.
     */
    @Override
    void close();

    /** Ends the job on all ranks; what runs is lost. */
    void abort(String reason);
}
