package io.nexar.collective.plan;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Puts a plan together round by round. INPUT and OUTPUT are laid out as the operation says; SCRATCH
 * is the planner's to declare.
 *
 * <p>It checks what one rank's plan can be checked for (ranges inside their buffers, no conflict
 * inside a round, equal shares on both sides of a local step, no write of INPUT); the checker in
 * {@code plan.check} checks what takes all ranks.
 */
public final class PlanBuilder {
    private final PlanRequest request;
    private final int shares;
    private final int[][] slotShares = {{}, {}, {}};
    private final Conflicts conflicts = new Conflicts(slotShares);
    private final List<Plan.Step> steps = new ArrayList<>();
    private int round;

    public PlanBuilder(PlanRequest request, int shares) {
        Operation operation = request.operation();
        int required = operation.shares(request.size());
        if (shares < 1 || required != Operation.ANY_SHARES && shares != required) {
            throw new IllegalArgumentException(
                    "%d shares in a plan of %s for %d ranks"
                            .formatted(shares, operation.methodName(), request.size()));
        }
        this.request = request;
        this.shares = shares;
        buffer(BufferRole.INPUT, operation.input().slotShares(request, shares));
        buffer(BufferRole.OUTPUT, operation.output().slotShares(request, shares));
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
        return buffer(buffer, Holding.EVERYTHING.slotShares(request, shares));
    }

    /** The steps from here on belong to the next round; the first round is number 0. */
    public PlanBuilder nextRound() {
        return round(round + 1);
    }

    /**
     * The steps from here on belong to this round. A round in which this rank does nothing must be
     * named too when others do something in it: all ranks' plans have the same number of rounds.
     */
    public PlanBuilder round(int number) {
        if (number < round) {
            throw new IllegalArgumentException("round %d after %d".formatted(number, round));
        }
        round = number;
        return this;
    }

    public PlanBuilder send(int peer, Range source) {
        return add(new Plan.Step(StepKind.SEND, round, peer, source, null, null, false));
    }

    public PlanBuilder receive(int peer, Range target) {
        return add(new Plan.Step(StepKind.RECEIVE, round, peer, null, null, target, false));
    }

    /**
     * Receives, combines with {@code local}, writes {@code target} (which may be {@code local}).
     */
    public PlanBuilder receiveReduce(int peer, Range local, Range target, boolean arrivingIsLeft) {
        return add(
                new Plan.Step(
                        StepKind.RECEIVE_REDUCE, round, peer, local, null, target, arrivingIsLeft));
    }

    /** Tells the peer that this rank has come this far: a message without data. */
    public PlanBuilder signal(int peer) {
        return send(peer, Range.input(0, 0));
    }

    /** Waits for the peer's signal. */
    public PlanBuilder receiveSignal(int peer) {
        return receive(peer, Range.output(0, 0));
    }

    public PlanBuilder copy(Range source, Range target) {
        return add(new Plan.Step(StepKind.COPY, round, -1, source, null, target, false));
    }

    public PlanBuilder reduce(Range left, Range right, Range target) {
        return add(new Plan.Step(StepKind.REDUCE, round, -1, left, right, target, false));
    }

    /** Combines {@code parts}, each as long as the target and all in SCRATCH, in their order. */
    public PlanBuilder combine(Range parts, Range target) {
        return add(new Plan.Step(StepKind.COMBINE, round, -1, parts, null, target, false));
    }

    public PlanBuilder scale(Range target) {
        return add(new Plan.Step(StepKind.SCALE, round, -1, null, null, target, false));
    }

    public Plan build() {
        int[][] layout = {slotShares[0].clone(), slotShares[1].clone(), slotShares[2].clone()};
        return new Plan(request, shares, layout, steps, round + 1);
    }

    /** Adds a step of the present round as it is. */
    PlanBuilder add(Plan.Step step) {
        requirePeer(step);
        requireInside(step.source());
        requireInside(step.second());
        requireInside(step.target());
        if (step.target() != null && step.target().buffer() == BufferRole.INPUT) {
            throw new IllegalArgumentException("INPUT is never written: " + step);
        }
        if (step.kind() == StepKind.COMBINE) {
            requireParts(step);
        } else {
            requireSameShares(step, step.source(), step.target());
        }
        requireSameShares(step, step.second(), step.target());
        if (!conflicts.add(step)) {
            throw new IllegalArgumentException(
                    "two steps of round %d touch the same range, the second being %s"
                            .formatted(round, step));
        }
        steps.add(step);
        return this;
    }

    private void requirePeer(Plan.Step step) {
        int peer = step.peer();
        if (!step.isLocal() && (peer < 0 || peer >= request.size() || peer == request.rank())) {
            throw new IllegalArgumentException(
                    "step to rank %d in the plan of rank %d of %d"
                            .formatted(peer, request.rank(), request.size()));
        }
    }

    private void requireInside(@Nullable Range range) {
        if (range != null
                && range.firstSlot() + range.slots()
                        > slotShares[range.buffer().ordinal()].length) {
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

    private void requireParts(Plan.Step step) {
        Range parts = Objects.requireNonNull(step.source());
        Range target = Objects.requireNonNull(step.target());
        boolean same = parts.slots() > target.slots() && parts.slots() % target.slots() == 0;
        for (int i = 0; same && i < parts.slots(); i++) {
            same = share(parts, i) == share(target, i % target.slots());
        }
        if (!same) {
            throw new IllegalArgumentException("not several parts of the target's shares: " + step);
        }
    }

    private int share(Range range, int index) {
        return slotShares[range.buffer().ordinal()][range.firstSlot() + index];
    }
}
