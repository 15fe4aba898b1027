package io.nexar;

/** The loop of a program that goes on when members die or join. */
public final class Elastic {

    private Elastic() {}

    /**
     * Repeats a step until it says that there is no more to do. A state is committed after each
     * step; when a member is lost it is rolled back and the survivors go on; newcomers are let in
     * between two steps.
     *
     * @param state this rank's state
     * @param step called again and again, each time with the communicator of the current epoch
     * @throws UnsupportedOperationException always: recovery is not part of this version yet
     */
    // Recovery comes later; callers compile against the final form today.
    @SuppressWarnings("DoNotCallSuggester")
    public static <S extends ElasticState> void run(Nexar nexar, S state, ElasticStep<S> step) {
        throw new UnsupportedOperationException(
                "Elastic.run: recovery is not part of this version yet");
    }
}
