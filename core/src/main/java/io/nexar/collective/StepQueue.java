package io.nexar.collective;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** First in, first out: steps whose predecessors are done, as pairs without an object for each. */
final class StepQueue {
    /** Enough for most plans; it grows. A power of two, so that a mask wraps positions. */
    private static final int CAPACITY_FIRST = 64;

    private @Nullable SliceRun[] runs = new @Nullable SliceRun[CAPACITY_FIRST];
    private int[] steps = new int[CAPACITY_FIRST];
    private int head;
    private int size;

    void add(SliceRun run, int step) {
        if (size == steps.length) {
            grow();
        }
        int tail = (head + size) & (steps.length - 1);
        runs[tail] = run;
        steps[tail] = step;
        size++;
    }

    /** The run of the first pair; null if there is none. */
    @Nullable SliceRun peekRun() {
        return size == 0 ? null : runs[head];
    }

    /** Takes the first pair out and returns its step. */
    int removeStep() {
        int step = steps[head];
        runs[head] = null;
        head = (head + 1) & (steps.length - 1);
        size--;
        return step;
    }

    private void grow() {
        int length = steps.length;
        @Nullable SliceRun[] moreRuns = Arrays.copyOf(runs, 2 * length);
        int[] moreSteps = Arrays.copyOf(steps, 2 * length);
        for (int i = 0; i < size; i++) {
            moreRuns[i] = runs[(head + i) & (length - 1)];
            moreSteps[i] = steps[(head + i) & (length - 1)];
        }
        runs = moreRuns;
        steps = moreSteps;
        head = 0;
    }
}
