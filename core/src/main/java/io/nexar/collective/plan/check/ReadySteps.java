package io.nexar.collective.plan.check;

import java.util.Arrays;

/** Steps that could run, the most urgent first: a binary heap of numbers, without boxes. */
final class ReadySteps {
    /** Room at first; it grows. */
    private static final int STEPS_AT_FIRST = 64;

    private long[] heap = new long[STEPS_AT_FIRST];
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    /**
     * @param urgency small is soon; among equals the smaller step comes first
     */
    void add(int urgency, int step) {
        if (count == heap.length) {
            heap = Arrays.copyOf(heap, 2 * count);
        }
        long entry = (long) urgency << Integer.SIZE | step;
        int place = count++;
        while (place > 0 && entry < heap[(place - 1) / 2]) {
            heap[place] = heap[(place - 1) / 2];
            place = (place - 1) / 2;
        }
        heap[place] = entry;
    }

    int remove() {
        int step = (int) heap[0];
        long moved = heap[--count];
        int place = 0;
        while (2 * place + 1 < count) {
            int child = 2 * place + 1;
            if (child + 1 < count && heap[child + 1] < heap[child]) {
                child++;
            }
            if (moved <= heap[child]) {
                break;
            }
            heap[place] = heap[child];
            place = child;
        }
        heap[place] = moved;
        return step;
    }
}
