package io.nexar.collective.plan.check;

import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.StepKind;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Whether a plan's dependencies suffice, exactly and for every order they permit: of any two steps
 * that touch the same cell, one of them writing, the later must follow the earlier by some chain of
 * predecessors, and they must not lie in one round.
 *
 * <p>It is enough to look at neighbours: a reader and the last writer before it, a writer and the
 * last writer and all readers since. Chains of those order the rest.
 */
final class Order {
    private static final int NOBODY = -1;

    private final World world;
    private final int rank;
    private final Plan plan;

    /** For each step all that it waits for, directly or not. */
    private final BitSet[] ancestors;

    private Order(World world, int rank) {
        this.world = world;
        this.rank = rank;
        this.plan = world.plan(rank);
        this.ancestors = new BitSet[plan.stepCount()];
    }

    static void check(World world, Memory... bindings) {
        for (int rank = 0; rank < world.size(); rank++) {
            Order order = new Order(world, rank);
            order.collectAncestors();
            for (Memory memory : bindings) {
                order.requireOrder(memory.of(rank));
            }
        }
    }

    private void collectAncestors() {
        for (int i = 0; i < ancestors.length; i++) {
            ancestors[i] = new BitSet(i);
            for (int earlier : plan.predecessors(i)) {
                requireEdge(earlier, i);
                ancestors[i].or(ancestors[earlier]);
                ancestors[i].set(earlier);
            }
        }
    }

    private void requireEdge(int earlier, int later) {
        if (earlier < 0
                || earlier >= later
                || plan.step(earlier).round() >= plan.step(later).round()) {
            throw world.fault(rank, later, "waits for step " + earlier + ", no earlier round's");
        }
        for (int successor : plan.successors(earlier)) {
            if (successor == later) {
                return;
            }
        }
        throw world.fault(rank, earlier, "does not wake step " + later);
    }

    private void requireOrder(Cells cells) {
        int[] lastWriter = new int[cells.count()];
        Arrays.fill(lastWriter, NOBODY);
        BitSet[] readersSince = new BitSet[cells.count()];
        Arrays.setAll(readersSince, cell -> new BitSet());
        for (int i = 0; i < plan.stepCount(); i++) {
            int[] source = cells.source(i);
            int[] target = cells.target(i);
            if (plan.step(i).kind() == StepKind.COPY && Arrays.equals(source, target)) {
                continue; // A copy in place touches nothing.
            }
            requireAfterWriters(source, lastWriter, i);
            requireAfterWriters(cells.second(i), lastWriter, i);
            requireAfterWriters(target, lastWriter, i);
            requireAfterReaders(target, readersSince, i);
            noteReader(source, readersSince, i);
            noteReader(cells.second(i), readersSince, i);
            for (int cell : target) {
                lastWriter[cell] = i;
                readersSince[cell].clear();
            }
        }
    }

    private static void noteReader(int[] cells, BitSet[] readersSince, int step) {
        for (int cell : cells) {
            readersSince[cell].set(step);
        }
    }

    private void requireAfterWriters(int[] cells, int[] lastWriter, int step) {
        for (int cell : cells) {
            if (lastWriter[cell] != NOBODY) {
                requireAfter(lastWriter[cell], step);
            }
        }
    }

    private void requireAfterReaders(int[] cells, BitSet[] readersSince, int step) {
        for (int cell : cells) {
            BitSet readers = readersSince[cell];
            for (int i = readers.nextSetBit(0); i >= 0; i = readers.nextSetBit(i + 1)) {
                requireAfter(i, step);
            }
        }
    }

    private void requireAfter(int earlier, int later) {
        if (plan.step(earlier).round() == plan.step(later).round()) {
            throw world.fault(
                    rank, later, "touches what step " + earlier + " of the same round touches");
        }
        if (!ancestors[later].get(earlier)) {
            throw world.fault(
                    rank,
                    later,
                    "touches what step " + earlier + " touches, but does not wait for it");
        }
    }
}
