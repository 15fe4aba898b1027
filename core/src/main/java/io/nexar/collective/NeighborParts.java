package io.nexar.collective;

import io.nexar.DataType;
import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.StepKind;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What a rank has for its neighbours and gets from them: a part for each place, each in a memory of
 * its own. How many items a part has is known at both ends of an edge and nowhere else, and so is
 * of which type they are; both go into what the two ends show each other.
 */
public final class NeighborParts {
    private static final MemorySegment[] FORGOTTEN = {};

    private final DataType type;
    private final MemorySegment[] inputs;
    private final MemorySegment[] outputs;
    private final long[] inputItems;
    private final long[] outputItems;

    private NeighborParts(
            DataType type,
            MemorySegment[] inputs,
            MemorySegment[] outputs,
            long[] inputItems,
            long[] outputItems) {
        this.type = type;
        this.inputs = inputs;
        this.outputs = outputs;
        this.inputItems = inputItems;
        this.outputItems = outputItems;
    }

    /** A part for each place, in the order of the places. */
    public static NeighborParts of(
            DataType type, List<MemorySegment> inputs, List<MemorySegment> outputs) {
        return new NeighborParts(
                type,
                inputs.toArray(MemorySegment[]::new),
                outputs.toArray(MemorySegment[]::new),
                items(type, inputs),
                items(type, outputs));
    }

    private static long[] items(DataType type, List<MemorySegment> parts) {
        return parts.stream().mapToLong(part -> part.byteSize() / type.bytes()).toArray();
    }

    NeighborParts withoutMemory() {
        return new NeighborParts(type, FORGOTTEN, FORGOTTEN, inputItems, outputItems);
    }

    MemorySegment memory(BufferRole buffer, int slot) {
        return switch (buffer) {
            case INPUT -> inputs[slot];
            case OUTPUT -> outputs[slot];
            case SCRATCH -> throw new IllegalArgumentException("neighbours need no scratch memory");
        };
    }

    long items(BufferRole buffer, int slot) {
        return switch (buffer) {
            case INPUT -> inputItems[slot];
            case OUTPUT -> outputItems[slot];
            case SCRATCH -> 0;
        };
    }

    long longest() {
        return LongStream.concat(Arrays.stream(inputItems), Arrays.stream(outputItems))
                .max()
                .orElse(0);
    }

    /** Refuses what a plan can't have: another number of parts, or a part that changes its size. */
    void requireFit(Plan plan) {
        if (inputItems.length != plan.slots(BufferRole.INPUT)
                || outputItems.length != plan.slots(BufferRole.OUTPUT)) {
            throw new IllegalArgumentException(
                    "%d parts to send and %d to receive, given to a plan of %d and %d"
                            .formatted(
                                    inputItems.length,
                                    outputItems.length,
                                    plan.slots(BufferRole.INPUT),
                                    plan.slots(BufferRole.OUTPUT)));
        }
        for (int i = 0; i < plan.stepCount(); i++) {
            Plan.Step step = plan.step(i);
            if (step.kind() == StepKind.COPY) {
                long out = inputItems[slot(step, StepKind.SEND)];
                long in = outputItems[slot(step, StepKind.RECEIVE)];
                if (out != in) {
                    throw new IllegalArgumentException(
                            "%d elements for this rank %d itself, but %d from it; they must agree"
                                    .formatted(out, plan.request().rank(), in));
                }
            }
        }
    }

    /** What the two ends of all edges from one rank to the other must agree on, as one number. */
    long code(Plan plan, int from, int to) {
        long[] counts = counts(plan, from, to);
        long code = counts.length;
        for (long count : counts) {
            code = Fingerprint.mix(Fingerprint.mix(code, type.ordinal()), count);
        }
        return code;
    }

    /** For people: {@code 3}, {@code 3 and 5}, or {@code nothing}. */
    String spell(Plan plan, int from, int to) {
        long[] counts = counts(plan, from, to);
        return counts.length == 0
                ? "nothing"
                : Arrays.stream(counts)
                        .mapToObj(Long::toString)
                        .collect(Collectors.joining(" and "));
    }

    /** The items of each message from one rank to the other, one of which is this one, in order. */
    private long[] counts(Plan plan, int from, int to) {
        boolean isOut = from == plan.request().rank();
        StepKind kind = isOut ? StepKind.SEND : StepKind.RECEIVE;
        LongStream.Builder counts = LongStream.builder();
        for (int i = 0; i < plan.stepCount(); i++) {
            Plan.Step step = plan.step(i);
            if (step.kind() == kind && step.peer() == (isOut ? to : from) && !step.isSignal()) {
                counts.add((isOut ? inputItems : outputItems)[slot(step, kind)]);
            }
        }
        return counts.build().toArray();
    }

    private static int slot(Plan.Step step, StepKind side) {
        var range = side == StepKind.SEND ? step.source() : step.target();
        return Objects.requireNonNull(range).firstSlot();
    }
}
