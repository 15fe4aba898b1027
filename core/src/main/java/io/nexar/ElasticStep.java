package io.nexar;

/** One step of a program that {@link Elastic#run} repeats. */
@FunctionalInterface
public interface ElasticStep<S extends ElasticState> {

    /**
     * Does one step on the communicator of the current epoch.
     *
     * @return whether there is more to do; the same on all ranks
     * @throws Exception ends the loop, unless it is a {@link NexarException} that a new epoch mends
     */
    boolean run(Communicator communicator, S state) throws Exception;
}
