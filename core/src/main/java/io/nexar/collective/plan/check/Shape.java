package io.nexar.collective.plan.check;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Holding;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.collective.plan.Range;
import io.nexar.collective.plan.StepKind;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * What each plan must be before anything is run: one request but for the rank, the same rounds and
 * shares on all ranks, buffers laid out as the operation says, steps sorted by round with the
 * ranges that their kind needs, inside their buffers, with equal shares on both sides, INPUT never
 * written.
 */
final class Shape {
    private final World world;
    private final int rank;
    private final Plan plan;

    private Shape(World world, int rank) {
        this.world = world;
        this.rank = rank;
        this.plan = world.plan(rank);
    }

    static void check(World world) {
        for (int rank = 0; rank < world.size(); rank++) {
            new Shape(world, rank).check();
        }
    }

    private void check() {
        requireOneCollective();
        requireLayout(BufferRole.INPUT, world.operation().input());
        requireLayout(BufferRole.OUTPUT, world.operation().output());
        int round = 0;
        for (int i = 0; i < plan.stepCount(); i++) {
            Plan.Step step = plan.step(i);
            require(step.round() >= round && step.round() < plan.rounds(), i, "round out of order");
            round = step.round();
            requireRanges(i, step);
            requirePeer(i, step);
        }
    }

    private void requireOneCollective() {
        Plan first = world.plan(0);
        PlanRequest mine = plan.request();
        PlanRequest expected =
                new PlanRequest(
                        first.request().operation(),
                        first.request().algorithm(),
                        rank,
                        world.size(),
                        first.request().root(),
                        first.request().placement(),
                        mine.neighborhood());
        require(mine.equals(expected), -1, () -> "the plan is for %s".formatted(mine));
        require(
                plan.rounds() == first.rounds(),
                -1,
                () -> "%d rounds, but %d on rank 0".formatted(plan.rounds(), first.rounds()));
        require(
                plan.shares() == first.shares(),
                -1,
                () -> "%d shares, but %d on rank 0".formatted(plan.shares(), first.shares()));
        int requiredShares = world.operation().shares(world.size());
        require(
                requiredShares == Operation.ANY_SHARES || plan.shares() == requiredShares,
                -1,
                () -> "%d shares instead of %d".formatted(plan.shares(), requiredShares));
    }

    private void requireLayout(BufferRole buffer, Holding holding) {
        int[] expected = holding.slotShares(plan.request(), plan.shares());
        boolean same = plan.slots(buffer) == expected.length;
        for (int slot = 0; same && slot < expected.length; slot++) {
            same = plan.slotShare(buffer, slot) == expected[slot];
        }
        require(same, -1, () -> "%s does not hold %s".formatted(buffer, holding));
    }

    private void requireRanges(int index, Plan.Step step) {
        boolean combines =
                step.kind() == StepKind.REDUCE
                        || step.kind() == StepKind.COMBINE
                        || step.kind() == StepKind.RECEIVE_REDUCE
                        || step.kind() == StepKind.SCALE;
        require(!combines || world.operation().isReducing(), index, "nothing is to be reduced");
        require(
                step.kind() != StepKind.SCALE || world.operation().isScaled(),
                index,
                "nothing is to be scaled");
        boolean reads = step.kind() != StepKind.RECEIVE && step.kind() != StepKind.SCALE;
        require((step.source() != null) == reads, index, "source missing, or one too many");
        require(
                (step.second() != null) == (step.kind() == StepKind.REDUCE),
                index,
                "second source missing, or one too many");
        require(
                (step.target() == null) == (step.kind() == StepKind.SEND),
                index,
                "target missing, or one too many");
        requireInside(index, step.source());
        requireInside(index, step.second());
        requireInside(index, step.target());
        require(
                step.target() == null || step.target().buffer() != BufferRole.INPUT,
                index,
                "INPUT is written");
        if (step.kind() == StepKind.COMBINE) {
            requireParts(index, step);
        } else {
            requireSameShares(index, step.source(), step.target());
        }
        requireSameShares(index, step.second(), step.target());
    }

    private void requireInside(int index, @Nullable Range range) {
        require(
                range == null || range.firstSlot() + range.slots() <= plan.slots(range.buffer()),
                index,
                () -> "%s reaches out of its buffer".formatted(range));
    }

    private void requireSameShares(int index, @Nullable Range a, @Nullable Range b) {
        if (a == null || b == null) {
            return;
        }
        boolean same = a.slots() == b.slots();
        for (int i = 0; same && i < a.slots(); i++) {
            same =
                    plan.slotShare(a.buffer(), a.firstSlot() + i)
                            == plan.slotShare(b.buffer(), b.firstSlot() + i);
        }
        require(same, index, () -> "%s and %s hold different shares".formatted(a, b));
    }

    private void requireParts(int index, Plan.Step step) {
        Range parts = Objects.requireNonNull(step.source());
        Range target = Objects.requireNonNull(step.target());
        // What is written on the way to the result must not be read any more.
        boolean same = parts.buffer() == BufferRole.SCRATCH && !parts.overlaps(target);
        same = same && parts.slots() > target.slots() && parts.slots() % target.slots() == 0;
        for (int i = 0; same && i < parts.slots(); i++) {
            same =
                    plan.slotShare(parts.buffer(), parts.firstSlot() + i)
                            == plan.slotShare(
                                    target.buffer(), target.firstSlot() + i % target.slots());
        }
        require(same, index, () -> "%s are no parts of %s".formatted(parts, target));
    }

    private void requirePeer(int index, Plan.Step step) {
        boolean valid =
                step.isLocal()
                        ? step.peer() == -1
                        : step.peer() >= 0 && step.peer() < world.size() && step.peer() != rank;
        require(valid, index, () -> "peer %d".formatted(step.peer()));
    }

    private void require(boolean holds, int step, String what) {
        require(holds, step, () -> what);
    }

    /** The text is made only when it is needed: nearly all steps are sound. */
    private void require(boolean holds, int step, Supplier<String> what) {
        if (!holds) {
            throw world.fault(rank, step, what.get());
        }
    }
}
