package io.nexar.collective.plan;

import io.nexar.Algorithm;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Puts plans of groups of ranks one after another into one plan.
 *
 * <p>A stage is one part on each rank that takes part in it, and the same number of rounds on all
 * ranks. A part is the plan of a group: its ranks are numbers in the group, and each of its shares
 * stands for some shares of the whole. Its INPUT and OUTPUT lie where the part says, in INPUT,
 * OUTPUT or SCRATCH of the whole; its SCRATCH is in the whole's, behind the places that the
 * composition declared for itself.
 *
 * <p>A message goes as one for each run of neighbouring shares, which both ends see alike. A copy
 * that would copy a place to itself falls away, and so does scaling where the sum goes on. What
 * depends on what is worked out anew from the ranges, so that a step of the second part waits for
 * no more of the first than it must.
 */
final class Composition {
    private static final int NOWHERE = -1;

    private final PlanRequest request;
    private final PlanBuilder plan;
    private final int shares;
    private final List<Stage> stages = new ArrayList<>();
    private int[] scratch = {};
    private int firstRound;

    /**
     * Where shares of the whole lie in one of its buffers.
     *
     * @param slots by share
     */
    record Place(BufferRole buffer, int[] slots) {
        int slot(int share) {
            if (slots[share] == NOWHERE) {
                throw new IllegalStateException("share %d is not in %s".formatted(share, buffer));
            }
            return slots[share];
        }
    }

    /**
     * A plan used as a part.
     *
     * @param ranks the rank in the whole of each rank of the plan
     * @param shares the shares of the whole in each share of the plan
     */
    record Part(Plan plan, int[] ranks, int[][] shares, Place input, Place output) {}

    /**
     * The part of this rank in one stage.
     *
     * @param scratchFirsts where each slot of the part's SCRATCH begins
     */
    private record Stage(int rounds, @Nullable Part part, int[] scratchFirsts, boolean isScaling) {}

    Composition(PlanRequest request, int shares) {
        this.request = request;
        this.shares = shares;
        this.plan = new PlanBuilder(request, shares);
    }

    /** Cuts {@code parts * length} neighbouring shares into parts. */
    static int[][] cut(int first, int parts, int length) {
        int[][] shares = new int[parts][length];
        for (int i = 0; i < parts * length; i++) {
            shares[i / length][i % length] = first + i;
        }
        return shares;
    }

    /** The whole's own INPUT or OUTPUT, as the operation lays it out. */
    Place place(BufferRole buffer) {
        Operation operation = request.operation();
        Holding holding = buffer == BufferRole.INPUT ? operation.input() : operation.output();
        return place(buffer, 0, holding.slotShares(request, shares));
    }

    /** A place of the composition's own for these shares, in rising order. */
    Place scratch(int... ofShares) {
        Place place = place(BufferRole.SCRATCH, scratch.length, ofShares);
        addScratch(ofShares);
        return place;
    }

    /**
     * The next stage, which all ranks must name.
     *
     * @param rounds at least those of all parts
     * @param part null if this rank has none
     * @param isScaling whether a sum is complete with this stage
     */
    Composition stage(int rounds, @Nullable Part part, boolean isScaling) {
        if (part == null) {
            stages.add(new Stage(rounds, null, new int[0], isScaling));
            return this;
        }
        if (part.plan.rounds() > rounds) {
            throw new IllegalStateException(
                    "%d rounds in a stage of %d".formatted(part.plan.rounds(), rounds));
        }
        int[][] slots = new int[part.plan.slots(BufferRole.SCRATCH)][];
        int[] firsts = new int[slots.length];
        int first = scratch.length;
        for (int slot = 0; slot < slots.length; slot++) {
            slots[slot] = part.shares[part.plan.slotShare(BufferRole.SCRATCH, slot)];
            firsts[slot] = first;
            first += slots[slot].length;
        }
        addScratch(Arrays.stream(slots).flatMapToInt(Arrays::stream).toArray());
        stages.add(new Stage(rounds, part, firsts, isScaling));
        return this;
    }

    /** A stage of all ranks, in which each share stands for itself; the first sums are the last. */
    Composition all(Operation operation, Algorithm algorithm, Place from, Place to) {
        int root = operation.isRooted() ? request.root() : 0;
        Plan part =
                PlanCatalog.entry(operation, algorithm)
                        .plan(
                                new PlanRequest(
                                        operation,
                                        algorithm,
                                        request.rank(),
                                        request.size(),
                                        root));
        int[] ranks = IntStream.range(0, request.size()).toArray();
        return stage(
                part.rounds(), new Part(part, ranks, cut(0, part.shares(), 1), from, to), true);
    }

    Plan build() {
        plan.buffer(BufferRole.SCRATCH, scratch);
        for (Stage stage : stages) {
            if (stage.part != null) {
                append(stage, stage.part);
            }
            firstRound += stage.rounds;
        }
        return plan.round(firstRound - 1).build();
    }

    private Place place(BufferRole buffer, int first, int[] ofShares) {
        int[] slots = new int[shares];
        Arrays.fill(slots, NOWHERE);
        for (int i = 0; i < ofShares.length; i++) {
            slots[ofShares[i]] = first + i;
        }
        return new Place(buffer, slots);
    }

    private void addScratch(int[] more) {
        int length = scratch.length;
        scratch = Arrays.copyOf(scratch, length + more.length);
        System.arraycopy(more, 0, scratch, length, more.length);
    }

    private void append(Stage stage, Part part) {
        for (int i = 0; i < part.plan.stepCount(); i++) {
            Plan.Step step = part.plan.step(i);
            if (step.kind() != StepKind.SCALE || stage.isScaling) {
                append(stage, part, step);
            }
        }
    }

    private void append(Stage stage, Part part, Plan.Step step) {
        int[] moved = sharesOf(part, Objects.requireNonNullElse(step.target(), step.source()));
        int[] source = slotsOf(stage, part, step.source());
        int[] second = slotsOf(stage, part, step.second());
        int[] target = slotsOf(stage, part, step.target());
        if (moved.length == 0 && !step.isLocal()) {
            append(part, step, Range.input(0, 0), null, Range.output(0, 0));
        }
        if (step.kind() == StepKind.COMBINE) {
            Range parts = run(bufferOf(part, step.source()), source, 0, source.length);
            Range whole = run(bufferOf(part, step.target()), target, 0, target.length);
            append(part, step, parts, null, whole);
            return;
        }
        for (int from = 0; from < moved.length; ) {
            int to = from + 1;
            while (to < moved.length && moved[to] == moved[to - 1] + 1) {
                to++;
            }
            append(
                    part,
                    step,
                    run(bufferOf(part, step.source()), source, from, to),
                    run(bufferOf(part, step.second()), second, from, to),
                    run(bufferOf(part, step.target()), target, from, to));
            from = to;
        }
    }

    private void append(
            Part part,
            Plan.Step step,
            @Nullable Range source,
            @Nullable Range second,
            @Nullable Range target) {
        if (step.kind() == StepKind.COPY && Objects.equals(source, target)) {
            return;
        }
        int round = firstRound + step.round();
        plan.round(round)
                .add(
                        new Plan.Step(
                                step.kind(),
                                round,
                                step.isLocal() ? step.peer() : part.ranks[step.peer()],
                                step.kind() == StepKind.RECEIVE ? null : source,
                                second,
                                step.kind() == StepKind.SEND ? null : target,
                                step.arrivingIsLeft()));
    }

    private static int[] sharesOf(Part part, @Nullable Range range) {
        Range there = Objects.requireNonNull(range, "a step without a range");
        return IntStream.range(there.firstSlot(), there.firstSlot() + there.slots())
                .flatMap(slot ->
                        Arrays.stream(part.shares[part.plan.slotShare(there.buffer(), slot)]))
                .toArray();
    }

    private static int[] slotsOf(Stage stage, Part part, @Nullable Range range) {
        if (range == null) {
            return new int[0];
        }
        int[] slots = sharesOf(part, range);
        if (slots.length > 0 && range.buffer() == BufferRole.SCRATCH) {
            int first = stage.scratchFirsts[range.firstSlot()];
            Arrays.setAll(slots, i -> first + i);
        } else {
            Place place = range.buffer() == BufferRole.INPUT ? part.input : part.output;
            Arrays.setAll(slots, i -> place.slot(slots[i]));
        }
        return slots;
    }

    private static BufferRole bufferOf(Part part, @Nullable Range range) {
        if (range == null || range.buffer() == BufferRole.SCRATCH) {
            return BufferRole.SCRATCH;
        }
        return range.buffer() == BufferRole.INPUT ? part.input.buffer : part.output.buffer;
    }

    private static @Nullable Range run(BufferRole buffer, int[] slots, int from, int to) {
        if (slots.length == 0) {
            return null;
        }
        if (slots[to - 1] - slots[from] != to - 1 - from) {
            throw new IllegalStateException("neighbouring shares that lie apart in " + buffer);
        }
        return new Range(buffer, slots[from], to - from);
    }
}
