package io.nexar.collective.plan;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Puts plans of the same ranks and shares one after another into one plan.
 *
 * <p>Each part's INPUT and OUTPUT lie where its mapping says, in INPUT, OUTPUT or SCRATCH of the
 * whole. The whole's SCRATCH begins with slots of the composition's own; the parts' follow. A copy
 * that would copy a place to itself falls away. What depends on what is worked out anew from the
 * ranges, so that a step of the second part waits for no more of the first than it must.
 */
final class Composition {
    private final PlanBuilder plan;
    private final int[] ownScratch;
    private int scratchUsed;
    private int firstRound;

    /**
     * A plan used as a part.
     *
     * @param place where a range of the part's INPUT or OUTPUT lies
     */
    record Part(Plan plan, UnaryOperator<Range> place) {
        int[] scratchShares() {
            int[] shares = new int[plan.slots(BufferRole.SCRATCH)];
            Arrays.setAll(shares, slot -> plan.slotShare(BufferRole.SCRATCH, slot));
            return shares;
        }
    }

    private Composition(PlanRequest request, int shares, int[] ownScratch) {
        this.plan = new PlanBuilder(request, shares);
        this.ownScratch = ownScratch;
        this.scratchUsed = ownScratch.length;
    }

    /** The whole; {@code ownScratch} has the share of each of the composition's own slots. */
    static Plan of(PlanRequest request, int[] ownScratch, Part... parts) {
        Composition whole = new Composition(request, parts[0].plan.shares(), ownScratch);
        whole.declareScratch(parts);
        for (Part part : parts) {
            whole.append(part);
        }
        return whole.plan.round(whole.firstRound - 1).build();
    }

    /** The plan of one part for the same rank. */
    static Plan part(PlanRequest request, Operation operation, Planner planner) {
        int root = operation.isRooted() ? request.root() : 0;
        return planner.plan(
                new PlanRequest(
                        operation, request.algorithm(), request.rank(), request.size(), root));
    }

    private void declareScratch(Part... parts) {
        int[] all = ownScratch;
        for (Part part : parts) {
            int[] more = part.scratchShares();
            int length = all.length;
            all = Arrays.copyOf(all, length + more.length);
            System.arraycopy(more, 0, all, length, more.length);
        }
        plan.buffer(BufferRole.SCRATCH, all);
    }

    private void append(Part part) {
        for (int i = 0; i < part.plan.stepCount(); i++) {
            Plan.Step step = part.plan.step(i);
            int round = firstRound + step.round();
            Range source = placed(part, step.source());
            Range target = placed(part, step.target());
            if (step.kind() != StepKind.COPY || !Objects.equals(source, target)) {
                plan.round(round)
                        .add(
                                new Plan.Step(
                                        step.kind(),
                                        round,
                                        step.peer(),
                                        source,
                                        placed(part, step.second()),
                                        target,
                                        step.arrivingIsLeft()));
            }
        }
        firstRound += part.plan.rounds();
        scratchUsed += part.plan.slots(BufferRole.SCRATCH);
    }

    private @Nullable Range placed(Part part, @Nullable Range range) {
        if (range == null) {
            return null;
        }
        return range.buffer() == BufferRole.SCRATCH
                ? Range.scratch(scratchUsed + range.firstSlot(), range.slots())
                : part.place.apply(range);
    }
}
