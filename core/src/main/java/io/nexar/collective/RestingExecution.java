package io.nexar.collective;

import org.jspecify.annotations.Nullable;

/**
 * The execution of a call that is over: still bound, to be taken up again if the same call is made
 * once more. Guarded by the progress lock.
 */
final class RestingExecution {
    private @Nullable Execution execution;

    /** Leaves it here until the call's next time. Returns what was here before. */
    @Nullable Execution put(Execution newExecution) {
        Execution before = execution;
        execution = newExecution;
        return before;
    }

    /** Bound to the call as it is, or as it was before; null if there is none. */
    @Nullable Execution take() {
        Execution taken = execution;
        execution = null;
        return taken;
    }
}
