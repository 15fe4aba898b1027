package io.nexar;

/** What one rank of a {@link LocalCluster} computes. */
@FunctionalInterface
public interface RankFunction<T> {

    /**
     * Runs on one rank.
     *
     * @param world this rank's view of the world; its {@code rank()} says which one it is
     * @throws Exception whatever it throws ends the other ranks' waiting calls and is reported
     */
    T apply(Communicator world) throws Exception;
}
