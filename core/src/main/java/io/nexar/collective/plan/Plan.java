package io.nexar.collective.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one rank does for one collective: steps over the named buffers, as immutable arrays in units
 * of shares, so that one plan serves every count and type.
 *
 * <p>A buffer is a sequence of slots; slot {@code i} holds share {@code slotShare(buffer, i)} of the
 * {@code shares()} shares that the operation's vector is cut into. Steps are sorted by round. Inside
 * a round no two of them conflict; a step may run as soon as its {@link #predecessors} have. A send
 * of round k is received in round k of the peer. Plans are made by {@link PlanBuilder}, and are safe
 * to share between threads.
 */
public final class Plan {
    private final PlanRequest request;
    private final int shares;
    private final int[][] slotShares;
    private final Step[] steps;
    private final int rounds;
    private final int[] ordinals;
    private final int[][] predecessors;
    private final int[][] successors;

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

        /** Whether this step writes what the other reads or writes, or the other way round. */
        public boolean conflictsWith(Step other) {
            return writes(other.source)
                    || writes(other.second)
                    || writes(other.target)
                    || other.writes(source)
                    || other.writes(second);
        }

        private boolean writes(@Nullable Range range) {
            return target != null && range != null && target.overlaps(range);
        }
    }

    Plan(PlanRequest request, int shares, int[][] slotShares, List<Step> steps) {
        this.request = request;
        this.shares = shares;
        this.slotShares = slotShares;
        this.steps = steps.toArray(Step[]::new);
        this.rounds = this.steps.length == 0 ? 0 : this.steps[this.steps.length - 1].round() + 1;
        this.ordinals = Dependencies.ordinals(this.steps, request.size());
        this.predecessors = Dependencies.predecessors(this.steps);
        this.successors = Dependencies.successors(predecessors);
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

    public int rounds() {
        return rounds;
    }

    /**
     * Which one this message is of all that the plan sends to, or receives from, the step's peer: a
     * send and the receive it belongs to have the same ordinal. -1 for local steps.
     */
    public int ordinal(int step) {
        return ordinals[step];
    }

    /** Index of the receive with this ordinal from this peer; -1 if the plan has none. */
    public int receiveStep(int peer, int ordinal) {
        for (int i = 0; i < steps.length; i++) {
            if (ordinals[i] == ordinal && steps[i].peer() == peer && steps[i].isReceive()) {
                return i;
            }
        }
        return -1;
    }

    /** Steps of earlier rounds that must be done before this one may start. Not to be changed. */
    public int[] predecessors(int step) {
        return predecessors[step];
    }

    /** Steps that wait for this one. Not to be changed. */
    public int[] successors(int step) {
        return successors[step];
    }
}
