package io.nexar.collective.plan.check;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;

/**
 * What slots hold, as expressions over the ranks' contributions to one share: rank 2's own part, a
 * combination of two, a finished (scaled) one. Equal expressions have equal ids, so that comparing
 * ids compares operands, their order and their brackets: equal ids, equal bits.
 */
final class Terms {
    static final int UNDEFINED = -1;

    /** In place of a right operand. */
    private static final int FINISHED = -2;

    /** Room at first; it grows. */
    private static final int TERMS_AT_FIRST = 64;

    private final int ranks;
    private int count;
    private int[] lefts = new int[TERMS_AT_FIRST];
    private int[] rights = new int[TERMS_AT_FIRST];
    private long[] operandCounts = new long[TERMS_AT_FIRST];

    /**
     * Ids of the terms made, found by their operands: a hash table that is at most a quarter full.
     */
    private int[] known = new int[4 * TERMS_AT_FIRST];

    Terms(int ranks) {
        this.ranks = ranks;
        this.count = ranks;
    }

    /** What this rank brought. */
    int of(int rank) {
        return rank;
    }

    int combine(int left, int right) {
        return intern(left, right, operandCount(left) + operandCount(right));
    }

    int finish(int term) {
        return intern(term, FINISHED, operandCount(term));
    }

    boolean isFinished(int term) {
        return term >= ranks && rights[term - ranks] == FINISHED;
    }

    /** Whether the term is a finished combination of every rank's part, each once. */
    boolean isComplete(int term) {
        return isFinished(term) && holdsEachOnce(term, ranks);
    }

    /** Whether the term combines the parts of the first so many ranks, each once. */
    boolean holdsEachOnce(int term, int firstRanks) {
        if (operandCount(term) != firstRanks) {
            return false;
        }
        BitSet seen = new BitSet(ranks);
        for (int rank : operands(term)) {
            seen.set(rank);
        }
        return seen.nextClearBit(0) == firstRanks;
    }

    /** Whether the operands are this rank, the next, and so on, with rank 0 after the last. */
    boolean startsAndGoesOn(int term, int firstRank) {
        int[] operands = operands(term);
        for (int i = 0; i < operands.length; i++) {
            if (operands[i] != (firstRank + i) % ranks) {
                return false;
            }
        }
        return true;
    }

    /** Whether the operands are these ranks, in this order. */
    boolean isOf(int term, int[] ofRanks) {
        return Arrays.equals(operands(term), ofRanks);
    }

    String text(int term) {
        if (term == UNDEFINED) {
            return "nothing";
        }
        // A term of more operands than this is unreadable, and may be exponentially long.
        if (operandCount(term) > 128) {
            return "%d operands".formatted(operandCount(term));
        }
        if (term < ranks) {
            return Integer.toString(term);
        }
        String left = text(lefts[term - ranks]);
        return isFinished(term)
                ? "scaled" + left
                : "(%s+%s)".formatted(left, text(rights[term - ranks]));
    }

    private long operandCount(int term) {
        return term < ranks ? 1 : operandCounts[term - ranks];
    }

    /** The ranks in the term from left to right. */
    private int[] operands(int term) {
        int[] result = new int[Math.toIntExact(operandCount(term))];
        int found = 0;
        Deque<Integer> open = new ArrayDeque<>();
        open.push(term);
        while (!open.isEmpty()) {
            int next = open.pop();
            if (next < ranks) {
                result[found++] = next;
            } else {
                if (!isFinished(next)) {
                    open.push(rights[next - ranks]);
                }
                open.push(lefts[next - ranks]);
            }
        }
        return result;
    }

    private int intern(int left, int right, long operandCount) {
        int place = place(left, right);
        if (known[place] != 0) {
            return known[place];
        }
        int index = count - ranks;
        if (index == lefts.length) {
            grow();
            place = place(left, right);
        }
        lefts[index] = left;
        rights[index] = right;
        // A faulty plan may double its operands each round: enough is known at a billion.
        operandCounts[index] = Math.min(operandCount, 1_000_000_000);
        known[place] = count;
        return count++;
    }

    /** Where the term with these operands is, or would be; 0 there means none, for it is a rank. */
    private int place(int left, int right) {
        // Fibonacci hashing: 2^64 divided by the golden ratio spreads neighbouring numbers.
        long hash = ((long) left << Integer.SIZE | right & 0xffff_ffffL) * 0x9e37_79b9_7f4a_7c15L;
        int place = (int) (hash >>> Integer.SIZE) & known.length - 1;
        while (known[place] != 0
                && (lefts[known[place] - ranks] != left || rights[known[place] - ranks] != right)) {
            place = place + 1 & known.length - 1;
        }
        return place;
    }

    private void grow() {
        int room = 2 * lefts.length;
        lefts = Arrays.copyOf(lefts, room);
        rights = Arrays.copyOf(rights, room);
        operandCounts = Arrays.copyOf(operandCounts, room);
        known = new int[4 * room];
        for (int term = ranks; term < count; term++) {
            known[place(lefts[term - ranks], rights[term - ranks])] = term;
        }
    }
}
