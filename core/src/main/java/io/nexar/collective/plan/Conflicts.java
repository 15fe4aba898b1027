package io.nexar.collective.plan;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Which two steps of one rank may not touch memory at the same time: one writes a slot that the
 * other reads or writes. Steps are taken in round by round, and each slot remembers in which round
 * it was last read and written.
 *
 * <p>In place, INPUT and OUTPUT are one memory wherever they hold the same share. One plan serves
 * both bindings, so a write of an OUTPUT slot always counts as a write of the INPUT slot with the
 * same share. The exception is a COPY from INPUT to OUTPUT: in place it does nothing, and out of
 * place it leaves INPUT alone, so it never disturbs a reader of INPUT.
 */
final class Conflicts {
    private static final int NOWHERE = -1;

    private final int[][] slotShares;
    private final int[][] readIn = {{}, {}, {}};
    private final int[][] writtenIn = {{}, {}, {}};
    private int @Nullable [] inputSlots;

    Conflicts(int[][] slotShares) {
        this.slotShares = slotShares;
    }

    /** The INPUT slot with the same share as each OUTPUT slot, or -1. */
    static int[] inputSlots(int[][] slotShares) {
        int[] input = slotShares[BufferRole.INPUT.ordinal()];
        Map<Integer, Integer> slotOfShare = new HashMap<>();
        for (int slot = 0; slot < input.length; slot++) {
            slotOfShare.put(input[slot], slot);
        }
        return Arrays.stream(slotShares[BufferRole.OUTPUT.ordinal()])
                .map(share -> slotOfShare.getOrDefault(share, NOWHERE))
                .toArray();
    }

    /** Whether a write of this step in OUTPUT may change INPUT. */
    static boolean reachesInput(Plan.Step writer) {
        return !(writer.kind() == StepKind.COPY
                && writer.source() != null
                && writer.source().buffer() == BufferRole.INPUT);
    }

    /** Takes in a step, unless an earlier one of its round is in its way; true if it took it. */
    boolean add(Plan.Step step) {
        int round = step.round() + 1; // 0: never
        if (isMarked(writtenIn, step.source(), round)
                || isMarked(writtenIn, step.second(), round)
                || isMarked(writtenIn, step.target(), round)
                || isMarked(readIn, step.target(), round)
                || isInputRead(step, round)) {
            return false;
        }
        mark(readIn, step.source(), round);
        mark(readIn, step.second(), round);
        mark(writtenIn, step.target(), round);
        markInput(step, round);
        return true;
    }

    private boolean isMarked(int[][] marks, @Nullable Range range, int round) {
        if (range != null) {
            int[] ofBuffer = marks[range.buffer().ordinal()];
            int end = Math.min(range.firstSlot() + range.slots(), ofBuffer.length);
            for (int slot = range.firstSlot(); slot < end; slot++) {
                if (ofBuffer[slot] == round) {
                    return true;
                }
            }
        }
        return false;
    }

    private void mark(int[][] marks, @Nullable Range range, int round) {
        if (range != null && range.slots() > 0) {
            Arrays.fill(
                    marksOf(marks, range.buffer()),
                    range.firstSlot(),
                    range.firstSlot() + range.slots(),
                    round);
        }
    }

    private int[] marksOf(int[][] marks, BufferRole buffer) {
        int slots = slotShares[buffer.ordinal()].length;
        if (marks[buffer.ordinal()].length < slots) {
            marks[buffer.ordinal()] = Arrays.copyOf(marks[buffer.ordinal()], slots);
        }
        return marks[buffer.ordinal()];
    }

    private boolean isInputRead(Plan.Step step, int round) {
        int[] read = readIn[BufferRole.INPUT.ordinal()];
        for (int slot : inputWritten(step)) {
            if (slot != NOWHERE && slot < read.length && read[slot] == round) {
                return true;
            }
        }
        return false;
    }

    private void markInput(Plan.Step step, int round) {
        for (int slot : inputWritten(step)) {
            if (slot != NOWHERE) {
                marksOf(writtenIn, BufferRole.INPUT)[slot] = round;
            }
        }
    }

    /** The INPUT slots that a step writes in place, with gaps. */
    private int[] inputWritten(Plan.Step step) {
        Range target = step.target();
        if (target == null || target.buffer() != BufferRole.OUTPUT || !reachesInput(step)) {
            return new int[0];
        }
        int[] all = inputSlots;
        if (all == null) {
            all = inputSlots(slotShares);
            inputSlots = all;
        }
        return Arrays.copyOfRange(all, target.firstSlot(), target.firstSlot() + target.slots());
    }
}
