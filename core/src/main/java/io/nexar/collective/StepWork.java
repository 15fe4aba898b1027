package io.nexar.collective;

import io.nexar.collective.plan.Range;
import io.nexar.collective.plan.StepKind;
import io.nexar.memory.InPlace;
import io.nexar.reduce.Kernel;
import io.nexar.reduce.Operands;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * What steps do to memory: copies, reductions and scaling, on one slice's part of their ranges.
 * Knows nothing of order, peers and credit.
 */
final class StepWork {
    private StepWork() {}

    /** Does a COPY, REDUCE, COMBINE or SCALE for one slice. */
    static void runLocal(SliceRun run, BoundStep step) {
        long slice = run.slice();
        int fragment = step.firstFragment(slice);
        while (fragment != Binding.NONE) {
            switch (step.kind()) {
                case COPY -> copy(step, slice, fragment);
                case REDUCE -> reduce(run, step, fragment);
                case COMBINE -> combine(run, step, fragment);
                case SCALE -> scale(run, step, fragment);
                case SEND, RECEIVE, RECEIVE_REDUCE ->
                        throw new IllegalArgumentException("not a local step: " + step.kind());
            }
            fragment = step.nextFragment(slice, fragment);
        }
    }

    /** Where a payload goes that is taken in as it is, outside the heap; null of any other. */
    static @Nullable MemorySegment destination(SliceRun run, BoundStep step, int fragment) {
        if (step.kind() != StepKind.RECEIVE) {
            return null;
        }
        MemorySegment to = step.target().memory(run.slice());
        return step.items(run.slice(), fragment) > 0 && to.isNative() && to.scope().isAlive()
                ? step.view(step.target(), run.slice(), fragment)
                : null;
    }

    /** Puts an arrived payload, or its combination with the local operand, into its place. */
    static void takeIn(SliceRun run, BoundStep step, int fragment, MemorySegment payload) {
        long slice = run.slice();
        long items = step.items(slice, fragment);
        if (items == 0) {
            return;
        }
        MemorySegment to = step.target().memory(slice);
        long toOffset = step.target().offset(slice, fragment);
        if (step.kind() == StepKind.RECEIVE) {
            if (!InPlace.isAt(payload, to, toOffset)) {
                MemorySegment.copy(payload, 0, to, toOffset, step.bytes(slice, fragment));
            }
            return;
        }
        MemorySegment mine = step.source().memory(slice);
        long mineOffset = step.source().offset(slice, fragment);
        Kernel kernel = run.execution().call().kernel();
        if (step.arrivingIsLeft()) {
            kernel.reduce(payload, 0, mine, mineOffset, to, toOffset, items);
        } else {
            kernel.reduce(mine, mineOffset, payload, 0, to, toOffset, items);
        }
    }

    /** Returns the memory that holds a fragment of a message, exactly. */
    static MemorySegment payload(SliceRun run, BoundStep step, int fragment) {
        return step.view(step.source(), run.slice(), fragment);
    }

    private static void copy(BoundStep step, long slice, int fragment) {
        if (step.isInPlace(slice, fragment)) {
            return;
        }
        MemorySegment.copy(
                step.source().memory(slice),
                step.source().offset(slice, fragment),
                step.target().memory(slice),
                step.target().offset(slice, fragment),
                step.bytes(slice, fragment));
    }

    private static void reduce(SliceRun run, BoundStep step, int fragment) {
        long slice = run.slice();
        run.execution()
                .call()
                .kernel()
                .reduce(
                        step.source().memory(slice),
                        step.source().offset(slice, fragment),
                        step.second().memory(slice),
                        step.second().offset(slice, fragment),
                        step.target().memory(slice),
                        step.target().offset(slice, fragment),
                        step.items(slice, fragment));
    }

    private static void combine(SliceRun run, BoundStep step, int fragment) {
        Execution execution = run.execution();
        Binding binding = execution.binding();
        long slice = run.slice();
        Range parts = step.source().range();
        int slots = step.target().range().slots();
        Operands operands = execution.operands().reset(parts.slots() / slots);
        for (int i = 0; i < parts.slots(); i += slots) {
            int slot = parts.firstSlot() + i;
            operands.add(
                    step.source().memory(slice),
                    binding.fragmentOffset(parts.buffer(), slot, slice, fragment));
        }
        execution
                .call()
                .kernel()
                .combine(
                        operands,
                        step.target().memory(slice),
                        step.target().offset(slice, fragment),
                        step.items(slice, fragment));
    }

    private static void scale(SliceRun run, BoundStep step, int fragment) {
        Execution execution = run.execution();
        execution
                .call()
                .kernel()
                .scale(
                        step.target().memory(run.slice()),
                        step.target().offset(run.slice(), fragment),
                        step.items(run.slice(), fragment),
                        execution.plan().request().size());
    }
}
