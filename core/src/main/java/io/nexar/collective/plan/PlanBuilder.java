package io.nexar.collective.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts a plan together round by round. It checks what one rank's plan can be checked for (ranges
 * inside their buffers, no conflict inside a round, equal shares on both sides of a local step); the
 * {@link PlanChecker} checks what takes all ranks.
 */
public final class PlanBuilder {
    private final PlanRequest request;
    private final int shares;
    private final int[][] slotShares = {{}, {}, {}};
    private final List<Plan.Step> steps = new ArrayList<>();
    private int round;

    public PlanBuilder(PlanRequest request, int shares) {
        if (shares < 1) {
            throw new IllegalArgumentException("a plan needs at least one share, not " + shares);
        }
        this.request = request;
        this.shares = shares;
    }

    /** Declares a buffer: which share lies in each of its slots. */
    public PlanBuilder buffer(BufferRole buffer, int... shareOfSlot) {
        for (int share : shareOfSlot) {
            if (share < 0 || share >= shares) {
                throw new IllegalArgumentException("share " + share + " of " + shares);
            }
        }
        slotShares[buffer.ordinal()] = shareOfSlot.clone();
        return this;
    }

    /** Declares a buffer with one slot for each share, in order. */
    public PlanBuilder wholeBuffer(BufferRole buffer) {
        int[] all = new int[shares];
        for (int i = 0; i < shares; i++) {
            all[i] = i;
        }
        return buffer(buffer, all);
    }

    /** The steps from here on belong to the next round. */
    public PlanBuilder nextRound() {
        round++;
        return this;
    }

    public PlanBuilder send(int peer, Range source) {
        return add(new Plan.Step(StepKind.SEND, round, peer, source, null, null, false));
    }

    public PlanBuilder receive(int peer, Range target) {
        return add(new Plan.Step(StepKind.RECEIVE, round, peer, null, null, target, false));
    }

    /** Receives, combines with {@code local}, writes {@code target} (which may be {@code local}). */
    public PlanBuilder receiveReduce(int peer, Range local, Range target, boolean arrivingIsLeft) {
        return add(
                new Plan.Step(
                        StepKind.RECEIVE_REDUCE, round, peer, local, null, target, arrivingIsLeft));
    }

    public PlanBuilder copy(Range source, Range target) {
        return add(new Plan.Step(StepKind.COPY, round, -1, source, null, target, false));
    }

    public PlanBuilder reduce(Range left, Range right, Range target) {
        return add(new Plan.Step(StepKind.REDUCE, round, -1, left, right, target, false));
    }

    public PlanBuilder scale(Range target) {
        return add(new Plan.Step(StepKind.SCALE, round, -1, null, null, target, false));
    }

    public Plan build() {
        return new Plan(request, shares, slotShares, steps);
    }

    private PlanBuilder add(Plan.Step step) {
        boolean hasPeer = !step.isLocal();
        if (hasPeer
                && (step.peer() < 0
                        || step.peer() >= request.size()
                        || step.peer() == request.rank())) {
            throw new IllegalArgumentException(
                    "step to rank %d in the plan of rank %d of %d"
                            .formatted(step.peer(), request.rank(), request.size()));
        }
        requireInside(step.source());
        requireInside(step.second());
        requireInside(step.target());
        requireSameShares(step, step.source(), step.target());
        requireSameShares(step, step.second(), step.target());
        for (int i = steps.size() - 1; i >= 0 && steps.get(i).round() == step.round(); i--) {
            if (step.conflictsWith(steps.get(i))) {
                throw new IllegalArgumentException(
                        "two steps of round %d touch the same range: %s and %s"
                                .formatted(round, steps.get(i), step));
            }
        }
        steps.add(step);
        return this;
    }

    private void requireInside(@Nullable Range range) {
        if (range != null
                && range.firstSlot() + range.slots() > slotShares[range.buffer().ordinal()].length) {
            throw new IllegalArgumentException(
                    "%s is outside a buffer of %d slots"
                            .formatted(range, slotShares[range.buffer().ordinal()].length));
        }
    }

    private void requireSameShares(Plan.Step step, @Nullable Range a, @Nullable Range b) {
        if (a == null || b == null) {
            return;
        }
        boolean same = a.slots() == b.slots();
        for (int i = 0; same && i < a.slots(); i++) {
            same = share(a, i) == share(b, i);
        }
        if (!same) {
            throw new IllegalArgumentException("different shares on the two sides of " + step);
        }
    }

    private int share(Range range, int index) {
        return slotShares[range.buffer().ordinal()][range.firstSlot() + index];
    }
}
