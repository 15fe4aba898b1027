package io.nexar.collective;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Which step each piece belongs to that a transport still reads from memory: a token is an index
 * into parallel arrays whose free places form a list. Never longer than the credit of all peers.
 */
final class PendingSends {
    private static final int CAPACITY_FIRST = 16;
    private static final int END = -1;

    private @Nullable SliceRun[] runs = {};
    private int[] steps = {};

    /** The next free place after each free place. */
    private int[] nextFree = {};

    private int firstFree = END;

    /** Notes a piece and returns its token. */
    long add(SliceRun run, int step) {
        if (firstFree == END) {
            grow();
        }
        int token = firstFree;
        firstFree = nextFree[token];
        runs[token] = run;
        steps[token] = step;
        return token;
    }

    SliceRun run(long token) {
        SliceRun run = token >= 0 && token < runs.length ? runs[(int) token] : null;
        if (run == null) {
            throw new IllegalArgumentException("token " + token + " belongs to no pending piece");
        }
        return run;
    }

    /** Forgets a token and returns its step. */
    int remove(long token) {
        int index = (int) token;
        runs[index] = null;
        nextFree[index] = firstFree;
        firstFree = index;
        return steps[index];
    }

    private void grow() {
        int length = runs.length;
        int newLength = Math.max(CAPACITY_FIRST, 2 * length);
        runs = Arrays.copyOf(runs, newLength);
        steps = Arrays.copyOf(steps, newLength);
        nextFree = Arrays.copyOf(nextFree, newLength);
        for (int i = length; i < newLength; i++) {
            nextFree[i] = i + 1 < newLength ? i + 1 : END;
        }
        firstFree = length;
    }
}
