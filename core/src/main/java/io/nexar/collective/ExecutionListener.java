package io.nexar.collective;

import org.jspecify.annotations.Nullable;

/** Hears how a collective ended; called once, with the rank's progress lock held. */
@FunctionalInterface
public interface ExecutionListener {
    /**
     * The call is over: its result is complete, or it failed and the output's content is undefined.
     * From here on the engine writes nothing to the caller's memory; after a failure a transport
     * may still read from it until its link lets go.
     *
     * @param call valid during this call only
     */
    void onEnd(CollectiveCall call, @Nullable RuntimeException failure);

    /** Where in the program the call was made; null where that is not known. */
    default @Nullable String callSite() {
        return null;
    }
}
