package io.nexar.collective;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Which steps may run, and when a slice and a call are over. Knows nothing of pieces.
 *
 * <p>Steps whose predecessors are done wait in one queue, and whoever completes a step adds to it:
 * no recursion, however long a plan is.
 */
final class Schedule {
    private final ActiveCalls active;
    private final StepQueue ready = new StepQueue();
    private final Queue<Execution> ended = new ArrayDeque<>();

    Schedule(ActiveCalls active) {
        this.active = active;
    }

    /** Begins the first slices of a call. */
    void begin(Execution execution) {
        if (execution.isComplete()) {
            end(execution, null);
            return;
        }
        startSlices(execution);
    }

    /**
     * Begins all slices that the window has room for. That can be several: where a later slice was
     * over before an earlier one, its place has been free for a while.
     */
    private void startSlices(Execution execution) {
        boolean started = true;
        while (started) {
            started = execution.startSlice(ready);
        }
    }

    /**
     * The slice of the next ready step of a call that is still under way; null if there is none.
     */
    @Nullable SliceRun nextRun() {
        SliceRun run = ready.peekRun();
        while (run != null && !run.execution().isActive()) {
            ready.removeStep();
            run = ready.peekRun();
        }
        return run;
    }

    /** Takes out the step that belongs to {@link #nextRun}. */
    int removeStep() {
        return ready.removeStep();
    }

    /** A step is done: what waited for it may run, and after the last one the next slice. */
    void complete(SliceRun run, int step) {
        if (!run.complete(step, ready)) {
            return;
        }
        Execution execution = run.execution();
        execution.endSlice();
        if (execution.isComplete()) {
            end(execution, null);
        } else {
            startSlices(execution);
        }
    }

    void end(Execution execution, @Nullable RuntimeException failure) {
        execution.end(failure);
        active.remove(execution);
        ended.add(execution);
    }

    /** The next call that has ended and whose listener does not know it; null if there is none. */
    @Nullable Execution pollEnded() {
        return ended.poll();
    }
}
