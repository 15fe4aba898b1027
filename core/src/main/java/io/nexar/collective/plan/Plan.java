package io.nexar.collective.plan;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What one rank does for one collective: steps over the named buffers, as immutable arrays in units
 * of shares, so that one plan serves every count and type.
 *
 * <p>A buffer is a sequence of slots; slot {@code i} holds share {@code slotShare(buffer, i)} of
 * the {@code shares()} shares that the operation's vector is cut into. INPUT and OUTPUT hold what
 * {@link Operation#input} and {@link Operation#output} say. Steps are sorted by round. Inside a
 * round no two of them conflict; a step may run as soon as its {@link #predecessors} have. A send
 * of round k is received in round k of the peer. Plans are made by {@link PlanBuilder}, and are
 * safe to share between threads.
 */
public final class Plan {
    private final PlanRequest request;
    private final int shares;
    private final int[][] slotShares;
    private final Step[] steps;
    private final int rounds;
    private final Messages messages;
    private final boolean isConfirmed;

    /**
     * Worked out when somebody asks: whoever only counts steps does without. Threads that race here
     * come to the same, and what is found is complete, since its fields are final.
     */
    private @Nullable Order order;

    /** Made in the same way; this plan itself where nothing is to be spared. */
    private @Nullable Plan apart;

    /** Who waits for whom. */
    private record Order(int[][] predecessors, int[][] successors) {
        Order(int[][] predecessors) {
            this(predecessors, Dependencies.successors(predecessors));
        }
    }

    /**
     * One step.
     *
     * @param peer the other rank of a SEND or RECEIVE, else -1
     * @param source what is read; null for RECEIVE and SCALE
     * @param second the right operand of REDUCE, else null
     * @param target what is written; null for SEND
     * @param arrivingIsLeft RECEIVE_REDUCE: whether the arriving bytes are the left operand
     */
    public record Step(
            StepKind kind,
            int round,
            int peer,
            @Nullable Range source,
            @Nullable Range second,
            @Nullable Range target,
            boolean arrivingIsLeft) {
        public boolean isReceive() {
            return kind == StepKind.RECEIVE || kind == StepKind.RECEIVE_REDUCE;
        }

        public boolean isLocal() {
            return kind != StepKind.SEND && !isReceive();
        }

        /** A message of no slots: it says only that its sender has come this far. */
        public boolean isSignal() {
            Range range = kind == StepKind.SEND ? source : target;
            return !isLocal() && range != null && range.slots() == 0;
        }
    }

    Plan(PlanRequest request, int shares, int[][] slotShares, List<Step> steps, int rounds) {
        this(request, shares, slotShares, steps, rounds, null);
    }

    /** Takes steps as they are, and other predecessors than the ranges give: to plant faults. */
    Plan(
            PlanRequest request,
            int shares,
            int[][] slotShares,
            List<Step> steps,
            int rounds,
            int @Nullable [][] predecessors) {
        this.request = request;
        this.shares = shares;
        this.slotShares = slotShares;
        this.steps = steps.toArray(Step[]::new);
        this.rounds = rounds;
        this.messages = new Messages(this.steps, request.size());
        this.order = predecessors == null ? null : new Order(predecessors);
        this.isConfirmed = request.operation() == Operation.BARRIER;
    }

    /** Adds to a plan what confirms it, and has nothing to do with its data. */
    Plan(Plan plan, List<Step> steps, int rounds, int[][] predecessors) {
        this.request = plan.request;
        this.shares = plan.shares;
        this.slotShares = plan.slotShares;
        this.steps = steps.toArray(Step[]::new);
        this.rounds = rounds;
        this.messages = new Messages(this.steps, request.size());
        this.order = new Order(predecessors);
        this.isConfirmed = true;
    }

    /** Whether it is over on no rank before every rank has begun it. */
    public boolean isConfirmed() {
        return isConfirmed;
    }

    public PlanRequest request() {
        return request;
    }

    /** How many shares the operation's vector is cut into, at least 1. */
    public int shares() {
        return shares;
    }

    public int slots(BufferRole buffer) {
        return slotShares[buffer.ordinal()].length;
    }

    /** Which share lies in this slot. */
    public int slotShare(BufferRole buffer, int slot) {
        return slotShares[buffer.ordinal()][slot];
    }

    public int stepCount() {
        return steps.length;
    }

    public Step step(int index) {
        return steps[index];
    }

    /**
     * The same for a call whose OUTPUT lies apart from its INPUT: without copies of INPUT that are
     * only read. It sends the same messages.
     */
    public Plan apart() {
        Plan known = apart;
        if (known == null) {
            List<Step> fewer = ReadInPlace.steps(steps, slots(BufferRole.SCRATCH));
            known = fewer.size() == steps.length || isConfirmed ? this : without(fewer);
            apart = known;
        }
        return known;
    }

    private Plan without(List<Step> fewer) {
        return new Plan(request, shares, slotShares, fewer, rounds);
    }

    /** At least 1, and the same on all ranks, also on one that has nothing to do in the last. */
    public int rounds() {
        return rounds;
    }

    /**
     * Which one this message is of all that the plan sends to, or receives from, the step's peer: a
     * send and the receive it belongs to have the same ordinal. -1 for local steps.
     */
    public int ordinal(int step) {
        return messages.ordinal(step);
    }

    /** Index of the receive with this ordinal from this peer; -1 if the plan has none. */
    public int receiveStep(int peer, int ordinal) {
        return messages.receiveStep(peer, ordinal);
    }

    /** Steps of earlier rounds that must be done before this one may start. Not to be changed. */
    public int[] predecessors(int step) {
        return order().predecessors[step];
    }

    /** Steps that wait for this one. Not to be changed. */
    public int[] successors(int step) {
        return order().successors[step];
    }

    private Order order() {
        Order known = order;
        if (known == null) {
            known = new Order(Dependencies.predecessors(steps, slotShares));
            order = known;
        }
        return known;
    }
}
