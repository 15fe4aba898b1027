package io.nexar.collective.plan;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Plants faults in real plans: takes a plan apart and puts it together again with one thing
 * changed, past all of the builder's checks.
 */
final class Faults {
    private Faults() {}

    /** The same plan with one step changed; the ranges' new dependencies are worked out. */
    static Plan withStep(Plan plan, int index, UnaryOperator<Plan.Step> change) {
        List<Plan.Step> steps = steps(plan);
        steps.set(index, change.apply(steps.get(index)));
        return withSteps(plan, steps, plan.rounds());
    }

    /** The plan with these steps, which may lie in another number of rounds. */
    static Plan withSteps(Plan plan, List<Plan.Step> steps, int rounds) {
        int[][] layout = layout(plan);
        // A range outside its buffer has no dependencies to work out: it is refused before them.
        boolean inside = steps.stream().allMatch(step -> isInside(layout, step));
        int[][] none = new int[steps.size()][0];
        return new Plan(plan.request(), plan.shares(), layout, steps, rounds, inside ? null : none);
    }

    /** The plan with one dependency less. */
    static Plan withoutDependency(Plan plan, int step, int predecessor) {
        int[][] predecessors = new int[plan.stepCount()][];
        for (int i = 0; i < predecessors.length; i++) {
            predecessors[i] = plan.predecessors(i);
        }
        predecessors[step] =
                Arrays.stream(predecessors[step]).filter(p -> p != predecessor).toArray();
        return new Plan(
                plan.request(),
                plan.shares(),
                layout(plan),
                steps(plan),
                plan.rounds(),
                predecessors);
    }

    /** The plan with another share in one slot of SCRATCH. */
    static Plan withOtherShareInScratch(Plan plan, int slot) {
        int[][] layout = layout(plan);
        int[] scratch = layout[BufferRole.SCRATCH.ordinal()];
        scratch[slot] = (scratch[slot] + 1) % plan.shares();
        return new Plan(plan.request(), plan.shares(), layout, steps(plan), plan.rounds(), null);
    }

    static boolean isUsed(Plan plan, Range slot) {
        return steps(plan).stream()
                .flatMap(step ->
                        Stream.<@Nullable Range>of(step.source(), step.second(), step.target()))
                .anyMatch(range -> range != null && range.overlaps(slot));
    }

    static List<Plan.Step> steps(Plan plan) {
        List<Plan.Step> steps = new ArrayList<>();
        for (int i = 0; i < plan.stepCount(); i++) {
            steps.add(plan.step(i));
        }
        return steps;
    }

    static Plan.Step withSource(Plan.Step step, @Nullable Range source) {
        return new Plan.Step(
                step.kind(),
                step.round(),
                step.peer(),
                source,
                step.second(),
                step.target(),
                step.arrivingIsLeft());
    }

    static Plan.Step withSecond(Plan.Step step, @Nullable Range second) {
        return new Plan.Step(
                step.kind(),
                step.round(),
                step.peer(),
                step.source(),
                second,
                step.target(),
                step.arrivingIsLeft());
    }

    static Plan.Step withTarget(Plan.Step step, @Nullable Range target) {
        return new Plan.Step(
                step.kind(),
                step.round(),
                step.peer(),
                step.source(),
                step.second(),
                target,
                step.arrivingIsLeft());
    }

    static Plan.Step withPeer(Plan.Step step, int peer) {
        return new Plan.Step(
                step.kind(),
                step.round(),
                peer,
                step.source(),
                step.second(),
                step.target(),
                step.arrivingIsLeft());
    }

    static Plan.Step withRound(Plan.Step step, int round) {
        return new Plan.Step(
                step.kind(),
                round,
                step.peer(),
                step.source(),
                step.second(),
                step.target(),
                step.arrivingIsLeft());
    }

    /** The left operand to the right, and the right one to the left. */
    static Plan.Step withOperandsSwapped(Plan.Step step) {
        return step.kind() == StepKind.REDUCE
                ? withSource(withSecond(step, step.source()), step.second())
                : new Plan.Step(
                        step.kind(),
                        step.round(),
                        step.peer(),
                        step.source(),
                        step.second(),
                        step.target(),
                        !step.arrivingIsLeft());
    }

    private static int[][] layout(Plan plan) {
        int[][] layout = new int[BufferRole.values().length][];
        for (BufferRole buffer : BufferRole.values()) {
            int[] shares = new int[plan.slots(buffer)];
            Arrays.setAll(shares, slot -> plan.slotShare(buffer, slot));
            layout[buffer.ordinal()] = shares;
        }
        return layout;
    }

    private static boolean isInside(int[][] layout, Plan.Step step) {
        return isInside(layout, step.source())
                && isInside(layout, step.second())
                && isInside(layout, step.target());
    }

    private static boolean isInside(int[][] layout, @Nullable Range range) {
        return range == null
                || range.firstSlot() + range.slots() <= layout[range.buffer().ordinal()].length;
    }
}
