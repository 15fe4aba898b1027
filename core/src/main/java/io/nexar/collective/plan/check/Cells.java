package io.nexar.collective.plan.check;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * One rank's memory: a cell for each slot, where slots that are one memory are one cell; and the
 * cells of each step's ranges. Its arrays are not to be changed.
 */
final class Cells {
    private static final int[] NONE = {};

    private final int[][] cellOfSlot = new int[BufferRole.values().length][];
    private final int[][] sources;
    private final int[][] seconds;
    private final int[][] targets;
    private int count;

    Cells(Plan plan, Binding binding) {
        for (BufferRole buffer : BufferRole.values()) {
            int[] cells = new int[plan.slots(buffer)];
            Arrays.setAll(cells, slot -> count++);
            cellOfSlot[buffer.ordinal()] = cells;
        }
        if (binding == Binding.IN_PLACE) {
            bindInPlace(plan);
        }
        sources = new int[plan.stepCount()][];
        seconds = new int[plan.stepCount()][];
        targets = new int[plan.stepCount()][];
        for (int i = 0; i < plan.stepCount(); i++) {
            sources[i] = of(plan.step(i).source());
            seconds[i] = of(plan.step(i).second());
            targets[i] = of(plan.step(i).target());
        }
    }

    private void bindInPlace(Plan plan) {
        Map<Integer, Integer> cellOfShare = new HashMap<>();
        for (int slot = 0; slot < plan.slots(BufferRole.INPUT); slot++) {
            cellOfShare.put(plan.slotShare(BufferRole.INPUT, slot), cell(BufferRole.INPUT, slot));
        }
        for (int slot = 0; slot < plan.slots(BufferRole.OUTPUT); slot++) {
            Integer shared = cellOfShare.get(plan.slotShare(BufferRole.OUTPUT, slot));
            if (shared != null) {
                cellOfSlot[BufferRole.OUTPUT.ordinal()][slot] = shared;
            }
        }
    }

    int count() {
        return count;
    }

    int cell(BufferRole buffer, int slot) {
        return cellOfSlot[buffer.ordinal()][slot];
    }

    int[] source(int step) {
        return sources[step];
    }

    int[] second(int step) {
        return seconds[step];
    }

    int[] target(int step) {
        return targets[step];
    }

    private int[] of(@Nullable Range range) {
        if (range == null) {
            return NONE;
        }
        int[] cells = cellOfSlot[range.buffer().ordinal()];
        return Arrays.copyOfRange(cells, range.firstSlot(), range.firstSlot() + range.slots());
    }
}
