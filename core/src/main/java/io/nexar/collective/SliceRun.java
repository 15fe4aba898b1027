package io.nexar.collective;

import io.nexar.collective.plan.Plan;

/**
 * The progress of one slice through its plan: for each step, how many predecessors it still waits
 * for, which fragment comes next, and how many sent fragments are still being read from memory. An
 * execution has one for each slice in flight and uses them in turn.
 *
 * <p>The key {@code (sequence, weight, slice)} with {@code weight = slice * stride + round} orders
 * all steps of all ranks; see docs/adr/0005-the-engine.md for why sending in this order cannot
 * deadlock.
 */
final class SliceRun {
    private final Execution execution;
    private Plan plan;
    private long slice;
    private boolean isActive;
    private int stepsLeft;
    private int[] waiting = {};
    private int[] fragment = {};
    private int[] unsent = {};

    // As the slice begins, under the binding with this number.
    private int[] waitingFirst = {};
    private int[] fragmentFirst = {};
    private long preparedFor;

    SliceRun(Execution execution) {
        this.execution = execution;
        this.plan = execution.plan();
    }

    /** Begins this slice; steps without predecessors go to {@code ready}. */
    void start(long newSlice, StepQueue ready) {
        plan = execution.plan();
        stepsLeft = plan.stepCount();
        isActive = true;
        if (preparedFor != execution.bindingNumber() || slice != newSlice) {
            slice = newSlice;
            prepare();
        }
        for (int step = 0; step < stepsLeft; step++) { // of small plans there are two or three
            waiting[step] = waitingFirst[step];
            fragment[step] = fragmentFirst[step];
        }
        for (int step = 0; step < stepsLeft; step++) {
            if (waiting[step] == 0) {
                ready.add(this, step);
            }
        }
    }

    /** Works out how the slice begins; a repeated small call has the same slice again. */
    private void prepare() {
        preparedFor = execution.bindingNumber();
        if (waiting.length < stepsLeft) {
            waiting = new int[stepsLeft];
            waitingFirst = new int[stepsLeft];
            fragment = new int[stepsLeft];
            fragmentFirst = new int[stepsLeft];
            unsent = new int[stepsLeft];
        }
        for (int step = 0; step < stepsLeft; step++) {
            waitingFirst[step] = plan.predecessors(step).length;
            fragmentFirst[step] =
                    step(step).isLocal() ? Binding.NONE : step(step).firstFragment(slice);
            unsent[step] = 0;
        }
    }

    /** Ends a slice of a failed call. */
    void stop() {
        isActive = false;
    }

    Execution execution() {
        return execution;
    }

    long slice() {
        return slice;
    }

    boolean isActive() {
        return isActive;
    }

    BoundStep step(int step) {
        return execution.binding().step(step);
    }

    long weight(int step) {
        return slice * execution.stride() + step(step).round();
    }

    /** Whether the step may run: all that it depends on is done. */
    boolean isReady(int step) {
        return waiting[step] == 0;
    }

    /** The next fragment to send or to take in, or NONE after the last. */
    int fragment(int step) {
        return fragment[step];
    }

    /** Goes on to the next fragment; true if there is one. */
    boolean advance(int step) {
        fragment[step] = step(step).nextFragment(slice, fragment[step]);
        return fragment[step] != Binding.NONE;
    }

    void addPending(int step) {
        unsent[step]++;
    }

    void removePending(int step) {
        unsent[step]--;
    }

    /** Whether a SEND has given out its last fragment and has all its memory back. */
    boolean isSent(int step) {
        return fragment[step] == Binding.NONE && unsent[step] == 0;
    }

    /**
     * Marks a step done, passes on to {@code ready} what waited for it; true after the last step.
     */
    boolean complete(int step, StepQueue ready) {
        for (int next : plan.successors(step)) {
            if (--waiting[next] == 0) {
                ready.add(this, next);
            }
        }
        stepsLeft--;
        isActive = stepsLeft > 0;
        return !isActive;
    }
}
