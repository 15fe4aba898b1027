package io.nexar;

/** What one rank of a {@link LocalCluster} does. */
@FunctionalInterface
public interface RankTask {

    /**
     * Runs on one rank.
     *
     * @param world this rank's view of the world; its {@code rank()} says which one it is
     * @throws Exception whatever it throws ends the other ranks' waiting calls and is reported
     */
    void run(Communicator world) throws Exception;
}
