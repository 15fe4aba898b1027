package io.nexar.collective.plan;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Which copies of INPUT a plan can do without where OUTPUT lies apart from it.
 *
 * <p>A plan that sends a vector and at the same time writes OUTPUT copies INPUT to SCRATCH first,
 * since both may be one memory. If they are not, and nothing else writes those slots of SCRATCH,
 * whatever reads them may read INPUT, which is never written. Shares are the same, so messages are.
 */
final class ReadInPlace {
    private static final int NONE = -1;

    private final Plan.Step[] steps;

    /** For each slot of SCRATCH, the slot of INPUT that it would be a copy of. */
    private final int[] copyOf;

    private ReadInPlace(Plan.Step[] steps, int scratchSlots) {
        this.steps = steps;
        this.copyOf = new int[scratchSlots];
        Arrays.fill(copyOf, NONE);
    }

    /** The steps with INPUT in place of its copies; all of them if there is no copy to spare. */
    static List<Plan.Step> steps(Plan.Step[] steps, int scratchSlots) {
        ReadInPlace found = new ReadInPlace(steps, scratchSlots);
        found.findCopies();
        return found.isReadWhole() ? found.replaced() : List.of(steps);
    }

    private void findCopies() {
        int[] writers = new int[copyOf.length];
        for (Plan.Step step : steps) {
            Range target = step.target();
            if (target != null && isScratch(target)) {
                for (int i = 0; i < target.slots(); i++) {
                    writers[target.firstSlot() + i]++;
                }
            }
        }
        for (Plan.Step step : steps) {
            Range source = step.source();
            Range target = step.target();
            if (step.kind() == StepKind.COPY
                    && source != null
                    && source.buffer() == BufferRole.INPUT
                    && target != null
                    && isScratch(target)) {
                noteCopy(source, target, writers);
            }
        }
    }

    private void noteCopy(Range source, Range target, int[] writers) {
        for (int i = 0; i < target.slots(); i++) {
            int slot = target.firstSlot() + i;
            copyOf[slot] = writers[slot] == 1 ? source.firstSlot() + i : NONE;
        }
    }

    /** Whether every range of SCRATCH is a copy of one range of INPUT, or has nothing of one. */
    private boolean isReadWhole() {
        for (Plan.Step step : steps) {
            if (!isWhole(step.source()) || !isWhole(step.second()) || !isWhole(step.target())) {
                return false;
            }
        }
        return true;
    }

    private boolean isWhole(@Nullable Range range) {
        if (range == null || !isScratch(range)) {
            return true;
        }
        for (int i = 1; i < range.slots(); i++) {
            int first = copyOf[range.firstSlot()];
            if (copyOf[range.firstSlot() + i] != (first == NONE ? NONE : first + i)) {
                return false;
            }
        }
        return true;
    }

    private List<Plan.Step> replaced() {
        List<Plan.Step> kept = new ArrayList<>(steps.length);
        for (Plan.Step step : steps) {
            Range source = replaced(step.source());
            Range target = replaced(step.target());
            if (step.kind() != StepKind.COPY || !Objects.equals(source, target)) {
                kept.add(
                        new Plan.Step(
                                step.kind(),
                                step.round(),
                                step.peer(),
                                source,
                                replaced(step.second()),
                                target,
                                step.arrivingIsLeft()));
            }
        }
        return kept;
    }

    private @Nullable Range replaced(@Nullable Range range) {
        boolean isCopy =
                range != null
                        && isScratch(range)
                        && range.slots() > 0
                        && copyOf[range.firstSlot()] != NONE;
        return range != null && isCopy
                ? Range.input(copyOf[range.firstSlot()], range.slots())
                : range;
    }

    private static boolean isScratch(Range range) {
        return range.buffer() == BufferRole.SCRATCH;
    }
}
