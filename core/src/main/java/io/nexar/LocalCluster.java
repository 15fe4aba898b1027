package io.nexar;

import io.nexar.runtime.Cluster;
import io.nexar.spi.ClusterRuntime;

import java.util.List;

/**
 * Several ranks in this JVM, for tests and notebooks: the same operations over the same engine,
 * with links that are method calls.
 *
 * <pre>{@code
 * try (LocalCluster cluster = LocalCluster.start(4)) {
 *     cluster.run(world -> world.barrier());
 * }
 * }</pre>
 */
public final class LocalCluster implements AutoCloseable {

    private final ClusterRuntime runtime;

    LocalCluster(ClusterRuntime runtime) {
        this.runtime = runtime;
    }

    /** Starts ranks with the default settings; looks at nothing outside. */
    public static LocalCluster start(int ranks) {
        return start(ranks, NexarConfig.defaults());
    }

    /**
     * Starts ranks with those settings.
     *
     * @param ranks how many, 1 or more
     */
    public static LocalCluster start(int ranks, NexarConfig config) {
        return new LocalCluster(Cluster.start(ranks, config));
    }

    /** The world as each rank sees it; the index is the rank. */
    public List<Communicator> communicators() {
        return runtime.communicators();
    }

    /**
     * Runs the task once a rank, each on a platform thread of its own, and blocks until all are
     * over. A task that throws ends the other ranks' waiting calls with an error that carries it.
     *
     * @throws RankFailuresException if any task threw: with what each of them threw
     */
    public void run(RankTask task) {
        runtime.call(world -> {
            task.run(world);
            return true;
        });
    }

    /**
     * {@link #run} with results.
     *
     * @return what each rank's task returned, by rank
     * @throws RankFailuresException if any task threw: with what each of them threw
     */
    public <T> List<T> call(RankFunction<T> task) {
        return runtime.call(task);
    }

    /** Ends all ranks and frees everything. A second call does nothing. */
    @Override
    public void close() {
        runtime.close();
    }
}
