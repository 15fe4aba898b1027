package io.nexar.collective.plan.check;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.OperandOrder;

import java.util.Arrays;

/** What every OUTPUT slot must hold in the end, and whether it does. */
final class Goal {
    private final World world;
    private final Terms terms;
    private final OperandOrder order;

    /** What was found in each share, on whichever rank was looked at first. */
    private final int[] foundInShare;

    private Goal(World world, Terms terms, OperandOrder order) {
        this.world = world;
        this.terms = terms;
        this.order = order;
        this.foundInShare = new int[world.operation().isReducing() ? world.plan(0).shares() : 0];
        Arrays.fill(foundInShare, Terms.UNDEFINED);
    }

    /** Throws unless all is as it must be; says whether all shares were combined alike. */
    static boolean check(World world, Terms terms, OperandOrder order, int[][] outputs) {
        return new Goal(world, terms, order).check(outputs);
    }

    private boolean check(int[][] outputs) {
        for (int rank = 0; rank < outputs.length; rank++) {
            for (int slot = 0; slot < outputs[rank].length; slot++) {
                int share = world.plan(rank).slotShare(BufferRole.OUTPUT, slot);
                switch (world.operation()) {
                    case BROADCAST -> requireOrigin(rank, share, outputs[rank][slot], world.root());
                    case SCATTER -> requireOrigin(rank, share, outputs[rank][slot], world.root());
                    case ALL_GATHER, GATHER ->
                            requireOrigin(rank, share, outputs[rank][slot], share);
                    case ALL_TO_ALL ->
                            requireOrigin(rank, share, outputs[rank][slot], share / world.size());
                    case NEIGHBOR_EXCHANGE -> requireNeighbor(rank, share, outputs[rank][slot]);
                    case ALL_REDUCE, REDUCE_SCATTER, REDUCE ->
                            requireReduced(rank, share, outputs[rank][slot]);
                    case SCAN -> requirePrefix(rank, share, outputs[rank][slot], rank + 1);
                    case EXCLUSIVE_SCAN -> requirePrefix(rank, share, outputs[rank][slot], rank);
                    case BARRIER -> throw world.fault(rank, "a barrier has no output");
                }
            }
        }
        return !world.operation().isScaled() || Arrays.stream(foundInShare).distinct().count() == 1;
    }

    private void requireOrigin(int rank, int share, int term, int origin) {
        if (term != terms.of(origin)) {
            throw fault(rank, share, term, "not with rank " + origin + "'s");
        }
    }

    /** An empty place stays as it was. */
    private void requireNeighbor(int rank, int share, int term) {
        if (!world.operation().isNobodys(share, world.size())) {
            requireOrigin(
                    rank, share, term, world.operation().sender(share, world.size(), world.root()));
        } else if (term != Terms.UNDEFINED) {
            throw fault(rank, share, term, "and the place is empty");
        }
    }

    private void requireReduced(int rank, int share, int term) {
        int known = foundInShare[share];
        if (known == term && known != Terms.UNDEFINED) {
            return;
        }
        if (term == Terms.UNDEFINED || !terms.isComplete(term)) {
            throw fault(rank, share, term, "instead of each rank once, scaled");
        }
        if (!isInOrder(term, share)) {
            throw fault(rank, share, term, "not in " + order + " order");
        }
        if (known != Terms.UNDEFINED) {
            throw fault(rank, share, term, "not with the bits of other ranks");
        }
        foundInShare[share] = term;
    }

    /** The parts of the first ranks, each once, in the ranks' order. */
    private void requirePrefix(int rank, int share, int term, int ranks) {
        if (term == Terms.UNDEFINED || !terms.holdsEachOnce(term, ranks)) {
            throw fault(rank, share, term, "instead of ranks 0 to " + (ranks - 1) + " once");
        }
        if (order != OperandOrder.RANK || !terms.startsAndGoesOn(term, 0)) {
            throw fault(rank, share, term, "not in RANK order");
        }
    }

    private PlanFaultException fault(int rank, int share, int term, String wrong) {
        return world.fault(
                rank, "share %d ends with %s, %s".formatted(share, terms.text(term), wrong));
    }

    private boolean isInOrder(int term, int share) {
        return switch (order) {
            case RANK -> terms.startsAndGoesOn(term, 0);
            case RING -> terms.startsAndGoesOn(term, (share + 1) % world.size());
            case HOSTS -> terms.isOf(term, world.placement().ranksByHost());
            case NONE -> throw new IllegalArgumentException("operands are combined in some order");
        };
    }
}
