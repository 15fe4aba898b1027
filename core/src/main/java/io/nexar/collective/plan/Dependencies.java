package io.nexar.collective.plan;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.BitSet;

/**
 * What the steps of a plan wait for, worked out once when the plan is made.
 *
 * <p>The steps are walked in order, and each slot remembers who wrote it last and who has read it
 * since. A reader waits for the last writer; a writer waits for the last writer and for the readers
 * since. Everything older is implied. A write of OUTPUT counts as a write of the same share of
 * INPUT ({@link Conflicts}). Signals carry order instead of data: a step that is no receive waits
 * for all earlier signals, and a signal is sent only after all earlier steps that are no sends.
 */
final class Dependencies {
    private static final int NOBODY = -1;
    private static final int[] NONE = {};

    private final Plan.Step[] steps;
    private final int[][] slotShares;
    private final int[] lastWriters;
    private final BitSet[] readersSince;
    private final boolean hasSignals;
    private final int[] inputSlots;

    private Dependencies(Plan.Step[] steps, int[][] slotShares) {
        this.steps = steps;
        this.slotShares = slotShares;
        int slots = Arrays.stream(slotShares).mapToInt(buffer -> buffer.length).sum();
        lastWriters = new int[slots];
        Arrays.fill(lastWriters, NOBODY);
        readersSince = new BitSet[slots];
        Arrays.setAll(readersSince, slot -> new BitSet());
        inputSlots = Conflicts.inputSlots(slotShares);
        hasSignals = Arrays.stream(steps).anyMatch(Plan.Step::isSignal);
    }

    /** For each step the earlier-round steps it waits for, without those implied by others. */
    static int[][] predecessors(Plan.Step[] steps, int[][] slotShares) {
        Dependencies dependencies = new Dependencies(steps, slotShares);
        int[][] result = new int[steps.length][];
        BitSet[] ancestors = new BitSet[steps.length];
        for (int i = 0; i < steps.length; i++) {
            result[i] = withoutImplied(dependencies.follow(i), ancestors, i);
        }
        return result;
    }

    /** Takes the next step into the books; returns whom it waits for. */
    private BitSet follow(int index) {
        Plan.Step step = steps[index];
        int[] source = slotsOf(step.source());
        int[] second = slotsOf(step.second());
        int[] written = writtenBy(step);
        BitSet found = new BitSet();
        addWriters(source, found);
        addWriters(second, found);
        addWriters(written, found);
        for (int slot : written) {
            found.or(readersSince[slot]);
        }
        if (hasSignals) {
            addSignals(index, found);
        }
        noteReader(source, index);
        noteReader(second, index);
        for (int slot : written) {
            lastWriters[slot] = index;
            readersSince[slot].clear();
        }
        return earlierRounds(found, step.round());
    }

    private void addWriters(int[] slots, BitSet found) {
        for (int slot : slots) {
            if (lastWriters[slot] != NOBODY) {
                found.set(lastWriters[slot]);
            }
        }
    }

    private void noteReader(int[] slots, int index) {
        for (int slot : slots) {
            readersSince[slot].set(index);
        }
    }

    private void addSignals(int index, BitSet found) {
        for (int earlier = 0; earlier < index; earlier++) {
            boolean ordered = steps[earlier].isSignal() || steps[index].isSignal();
            if (ordered && steps[earlier].kind() != StepKind.SEND && !steps[index].isReceive()) {
                found.set(earlier);
            }
        }
    }

    /** In a sound plan nothing falls away here: steps of one round have no conflict. */
    private BitSet earlierRounds(BitSet found, int round) {
        for (int i = found.length() - 1; i >= 0 && steps[i].round() >= round; i--) {
            found.clear(i);
        }
        return found;
    }

    /** Leaves out what others imply, and notes all that the step waits for. */
    private static int[] withoutImplied(BitSet found, BitSet[] ancestors, int index) {
        BitSet implied = new BitSet(index);
        for (int step = found.nextSetBit(0); step >= 0; step = found.nextSetBit(step + 1)) {
            implied.or(ancestors[step]);
        }
        ancestors[index] = (BitSet) implied.clone();
        ancestors[index].or(found);
        found.andNot(implied);
        return found.stream().toArray();
    }

    /** Numbers the slots of all buffers through. */
    private int[] slotsOf(@Nullable Range range) {
        if (range == null) {
            return NONE;
        }
        int[] slots = new int[range.slots()];
        int first = firstSlotOf(range.buffer()) + range.firstSlot();
        for (int i = 0; i < slots.length; i++) {
            slots[i] = first + i;
        }
        return slots;
    }

    private int firstSlotOf(BufferRole buffer) {
        int first = 0;
        for (int i = 0; i < buffer.ordinal(); i++) {
            first += slotShares[i].length;
        }
        return first;
    }

    /** The target, and what is the same memory in place. */
    private int[] writtenBy(Plan.Step step) {
        Range target = step.target();
        int[] written = slotsOf(target);
        if (target == null
                || target.buffer() != BufferRole.OUTPUT
                || !Conflicts.reachesInput(step)) {
            return written;
        }
        int[] inPlace =
                Arrays.stream(inputSlots, target.firstSlot(), target.firstSlot() + target.slots())
                        .filter(slot -> slot >= 0)
                        .map(slot -> firstSlotOf(BufferRole.INPUT) + slot)
                        .toArray();
        int[] all = Arrays.copyOf(written, written.length + inPlace.length);
        System.arraycopy(inPlace, 0, all, written.length, inPlace.length);
        return all;
    }

    static int[][] successors(int[][] predecessors) {
        int[] counts = new int[predecessors.length];
        for (int[] list : predecessors) {
            for (int step : list) {
                counts[step]++;
            }
        }
        int[][] result = new int[predecessors.length][];
        for (int i = 0; i < result.length; i++) {
            result[i] = new int[counts[i]];
        }
        Arrays.fill(counts, 0);
        for (int i = 0; i < predecessors.length; i++) {
            for (int step : predecessors[i]) {
                result[step][counts[step]++] = i;
            }
        }
        return result;
    }
}
