package io.nexar.collective;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;
import io.nexar.collective.plan.StepKind;
import io.nexar.memory.InPlace;
import io.nexar.reduce.Kernel;
import io.nexar.reduce.Operands;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * What steps do to memory: copies, reductions and scaling, on one slice's part of their ranges.
 * Knows nothing of order, peers and credit.
 */
final class StepWork {
    private StepWork() {}

    /** Does a COPY, REDUCE, COMBINE or SCALE for one slice. */
    static void runLocal(SliceRun run, Plan.Step step) {
        Binding binding = run.execution().binding();
        Range target = target(step);
        long slice = run.slice();
        int fragment = binding.firstFragment(target, slice, false);
        while (fragment != Binding.NONE) {
            switch (step.kind()) {
                case COPY -> copy(run, step, fragment);
                case REDUCE -> reduce(run, step, fragment);
                case COMBINE -> combine(run, step, fragment);
                case SCALE -> scale(run, step, fragment);
                case SEND, RECEIVE, RECEIVE_REDUCE ->
                        throw new IllegalArgumentException("not a local step: " + step);
            }
            fragment = binding.nextFragment(target, slice, fragment);
        }
    }

    /** Where a payload goes that is taken in as it is, outside the heap; null of any other. */
    static @Nullable MemorySegment destination(SliceRun run, Plan.Step step, int fragment) {
        if (step.kind() != StepKind.RECEIVE) {
            return null;
        }
        Binding binding = run.execution().binding();
        Range target = target(step);
        long bytes = binding.fragmentItems(target, run.slice(), fragment) * binding.itemBytes();
        MemorySegment to = binding.memory(target, run.slice());
        return bytes > 0 && to.isNative() && to.scope().isAlive()
                ? to.asSlice(binding.fragmentOffset(target, run.slice(), fragment), bytes)
                : null;
    }

    /** Puts an arrived payload, or its combination with the local operand, into its place. */
    static void takeIn(SliceRun run, Plan.Step step, int fragment, MemorySegment payload) {
        Binding binding = run.execution().binding();
        Range target = target(step);
        long items = binding.fragmentItems(target, run.slice(), fragment);
        if (items == 0) {
            return;
        }
        MemorySegment to = binding.memory(target, run.slice());
        long toOffset = binding.fragmentOffset(target, run.slice(), fragment);
        if (step.kind() == StepKind.RECEIVE) {
            if (!InPlace.isAt(payload, to, toOffset)) {
                MemorySegment.copy(payload, 0, to, toOffset, items * binding.itemBytes());
            }
            return;
        }
        Range local = source(step);
        MemorySegment mine = binding.memory(local, run.slice());
        long mineOffset = binding.fragmentOffset(local, run.slice(), fragment);
        Kernel kernel = run.execution().call().kernel();
        if (step.arrivingIsLeft()) {
            kernel.reduce(payload, 0, mine, mineOffset, to, toOffset, items);
        } else {
            kernel.reduce(mine, mineOffset, payload, 0, to, toOffset, items);
        }
    }

    /** Returns the memory that holds a fragment of a message, exactly. */
    static MemorySegment payload(SliceRun run, Plan.Step step, int fragment) {
        Binding binding = run.execution().binding();
        Range source = source(step);
        long bytes = binding.fragmentItems(source, run.slice(), fragment) * binding.itemBytes();
        if (bytes == 0) {
            return MemorySegment.NULL;
        }
        MemorySegment whole = binding.memory(source, run.slice());
        // A small call sends all of its buffer: no new object for it.
        return bytes == whole.byteSize()
                ? whole
                : whole.asSlice(binding.fragmentOffset(source, run.slice(), fragment), bytes);
    }

    private static void copy(SliceRun run, Plan.Step step, int fragment) {
        Binding binding = run.execution().binding();
        Range source = source(step);
        Range target = target(step);
        long from = binding.fragmentOffset(source, run.slice(), fragment);
        long to = binding.fragmentOffset(target, run.slice(), fragment);
        if (source.buffer() == BufferRole.INPUT
                && target.buffer() == BufferRole.OUTPUT
                && binding.isSamePlace(run.slice(), from, to)) {
            return;
        }
        long bytes = binding.fragmentItems(target, run.slice(), fragment) * binding.itemBytes();
        MemorySegment.copy(
                binding.memory(source, run.slice()),
                from,
                binding.memory(target, run.slice()),
                to,
                bytes);
    }

    private static void reduce(SliceRun run, Plan.Step step, int fragment) {
        Binding binding = run.execution().binding();
        Range left = source(step);
        Range right = Objects.requireNonNull(step.second());
        Range target = target(step);
        run.execution()
                .call()
                .kernel()
                .reduce(
                        binding.memory(left, run.slice()),
                        binding.fragmentOffset(left, run.slice(), fragment),
                        binding.memory(right, run.slice()),
                        binding.fragmentOffset(right, run.slice(), fragment),
                        binding.memory(target, run.slice()),
                        binding.fragmentOffset(target, run.slice(), fragment),
                        binding.fragmentItems(target, run.slice(), fragment));
    }

    private static void combine(SliceRun run, Plan.Step step, int fragment) {
        Execution execution = run.execution();
        Binding binding = execution.binding();
        Range parts = source(step);
        Range target = target(step);
        Operands operands = execution.operands().reset(parts.slots() / target.slots());
        for (int i = 0; i < parts.slots(); i += target.slots()) {
            int slot = parts.firstSlot() + i;
            operands.add(
                    binding.memory(parts, run.slice()),
                    binding.fragmentOffset(parts.buffer(), slot, run.slice(), fragment));
        }
        execution
                .call()
                .kernel()
                .combine(
                        operands,
                        binding.memory(target, run.slice()),
                        binding.fragmentOffset(target, run.slice(), fragment),
                        binding.fragmentItems(target, run.slice(), fragment));
    }

    private static void scale(SliceRun run, Plan.Step step, int fragment) {
        Execution execution = run.execution();
        Binding binding = execution.binding();
        Range target = target(step);
        execution
                .call()
                .kernel()
                .scale(
                        binding.memory(target, run.slice()),
                        binding.fragmentOffset(target, run.slice(), fragment),
                        binding.fragmentItems(target, run.slice(), fragment),
                        execution.plan().request().size());
    }

    private static Range source(Plan.Step step) {
        return Objects.requireNonNull(step.source());
    }

    private static Range target(Plan.Step step) {
        return Objects.requireNonNull(step.target());
    }
}
