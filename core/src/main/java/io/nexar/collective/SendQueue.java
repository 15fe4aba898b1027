package io.nexar.collective;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The sends to one peer that are ready and not finished, smallest key {@code (sequence, weight,
 * slice)} first: a binary heap over parallel arrays, so that queueing allocates nothing.
 */
final class SendQueue {
    private static final int CAPACITY_FIRST = 16;

    private @Nullable SliceRun[] runs = new @Nullable SliceRun[CAPACITY_FIRST];
    private int[] steps = new int[CAPACITY_FIRST];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** The slice of the first send; null if there is none. */
    @Nullable SliceRun firstRun() {
        return size == 0 ? null : runs[0];
    }

    int firstStep() {
        return steps[0];
    }

    void add(SliceRun run, int step) {
        if (size == steps.length) {
            runs = Arrays.copyOf(runs, 2 * size);
            steps = Arrays.copyOf(steps, 2 * size);
        }
        place(size, run, step);
        siftUp(size++);
    }

    void removeFirst() {
        size--;
        move(size, 0);
        runs[size] = null;
        siftDown(0);
    }

    /** Takes out everything that belongs to a call that has failed; returns how much it was. */
    int removeAll(Execution execution) {
        int before = size;
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (run(i).execution() != execution) {
                move(i, kept++);
            }
        }
        Arrays.fill(runs, kept, size, null);
        size = kept;
        for (int i = size / 2 - 1; i >= 0; i--) {
            siftDown(i);
        }
        return before - kept;
    }

    private void siftUp(int start) {
        int child = start;
        while (child > 0 && isBefore(child, (child - 1) / 2)) {
            swap(child, (child - 1) / 2);
            child = (child - 1) / 2;
        }
    }

    private void siftDown(int start) {
        int parent = start;
        while (true) {
            int child = 2 * parent + 1;
            if (child + 1 < size && isBefore(child + 1, child)) {
                child++;
            }
            if (child >= size || !isBefore(child, parent)) {
                return;
            }
            swap(child, parent);
            parent = child;
        }
    }

    private boolean isBefore(int a, int b) {
        SliceRun left = run(a);
        SliceRun right = run(b);
        // A difference, because sequences are unsigned and may wrap.
        long sequences = left.execution().sequence() - right.execution().sequence();
        if (sequences != 0) {
            return sequences < 0;
        }
        long leftWeight = left.weight(steps[a]);
        long rightWeight = right.weight(steps[b]);
        return leftWeight != rightWeight ? leftWeight < rightWeight : left.slice() < right.slice();
    }

    private SliceRun run(int index) {
        SliceRun run = runs[index];
        if (run == null) {
            throw new IllegalStateException("no send at " + index + " of " + size);
        }
        return run;
    }

    private void swap(int a, int b) {
        SliceRun run = run(a);
        int step = steps[a];
        move(b, a);
        place(b, run, step);
    }

    private void move(int from, int to) {
        place(to, run(from), steps[from]);
    }

    private void place(int at, SliceRun run, int step) {
        runs[at] = run;
        steps[at] = step;
    }
}
