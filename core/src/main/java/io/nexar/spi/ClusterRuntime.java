package io.nexar.spi;

import io.nexar.Communicator;
import io.nexar.RankFunction;

import java.util.List;

/**
 * What stands behind a {@link io.nexar.LocalCluster}: several ranks in this process. Not for
 * programs; it is here because the entry class lies below the room that wires everything.
 */
public interface ClusterRuntime extends AutoCloseable {

    /** The world of each rank, by rank. */
    List<Communicator> communicators();

    /**
     * Runs the task once a rank, each on a platform thread of its own, and returns the results by
     * rank.
     */
    <T> List<T> call(RankFunction<T> task);

    /** Ends all ranks and frees everything. */
    @Override
    void close();
}
