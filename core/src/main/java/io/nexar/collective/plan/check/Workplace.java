package io.nexar.collective.plan.check;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;

import java.util.Arrays;

/** One rank in one {@link Execution}: what its memory holds, and what it has sent. */
final class Workplace {
    private final World world;
    private final int rank;
    private final Plan plan;
    private final Cells cells;
    private final Terms terms;
    private final int[] contents;
    private final int[][] payloads;

    Workplace(World world, int rank, Cells cells, Terms terms) {
        this.world = world;
        this.rank = rank;
        this.plan = world.plan(rank);
        this.cells = cells;
        this.terms = terms;
        this.contents = new int[cells.count()];
        this.payloads = new int[plan.stepCount()][];
        Arrays.fill(contents, Terms.UNDEFINED);
        for (int slot = 0; slot < plan.slots(BufferRole.INPUT); slot++) {
            contents[cells.cell(BufferRole.INPUT, slot)] = terms.of(rank);
        }
    }

    int[] sent(int step) {
        return payloads[step];
    }

    int[] outputs() {
        int[] outputs = new int[plan.slots(BufferRole.OUTPUT)];
        Arrays.setAll(outputs, slot -> contents[cells.cell(BufferRole.OUTPUT, slot)]);
        return outputs;
    }

    void receive(int index, int[] arriving) {
        Plan.Step step = plan.step(index);
        switch (step.kind()) {
            case RECEIVE -> write(index, arriving);
            case RECEIVE_REDUCE -> {
                int[] local = read(index, cells.source(index));
                write(
                        index,
                        step.arrivingIsLeft()
                                ? combined(index, arriving, local)
                                : combined(index, local, arriving));
            }
            default -> throw new AssertionError(step);
        }
    }

    void perform(int index) {
        switch (plan.step(index).kind()) {
            case SEND -> payloads[index] = read(index, cells.source(index));
            case COPY -> write(index, read(index, cells.source(index)));
            case REDUCE ->
                    write(
                            index,
                            combined(
                                    index,
                                    read(index, cells.source(index)),
                                    read(index, cells.second(index))));
            case COMBINE -> write(index, allCombined(index));
            case SCALE -> write(index, finished(index, read(index, cells.target(index))));
            default -> throw new AssertionError(plan.step(index));
        }
    }

    private int[] allCombined(int step) {
        int[] parts = read(step, cells.source(step));
        int slots = cells.target(step).length;
        int[] whole = Arrays.copyOf(parts, slots);
        for (int from = slots; from < parts.length; from += slots) {
            whole = combined(step, whole, Arrays.copyOfRange(parts, from, from + slots));
        }
        return whole;
    }

    private int[] read(int step, int[] places) {
        int[] values = new int[places.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = contents[places[i]];
            if (values[i] == Terms.UNDEFINED) {
                throw world.fault(rank, step, "reads what nobody has written");
            }
        }
        return values;
    }

    private void write(int step, int[] values) {
        int[] places = cells.target(step);
        for (int i = 0; i < values.length; i++) {
            contents[places[i]] = values[i];
        }
    }

    private int[] combined(int step, int[] left, int[] right) {
        int[] values = new int[left.length];
        for (int i = 0; i < values.length; i++) {
            if (terms.isFinished(left[i]) || terms.isFinished(right[i])) {
                throw world.fault(rank, step, "combines what was scaled already");
            }
            values[i] = terms.combine(left[i], right[i]);
        }
        return values;
    }

    private int[] finished(int step, int[] values) {
        for (int i = 0; i < values.length; i++) {
            if (terms.isFinished(values[i])) {
                throw world.fault(rank, step, "scales what was scaled already");
            }
            values[i] = terms.finish(values[i]);
        }
        return values;
    }
}
