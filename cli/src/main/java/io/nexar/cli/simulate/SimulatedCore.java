package io.nexar.cli.simulate;

import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.cost.HostCost;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A core of a {@link Simulation}, and the ranks that work on it by turns: who has nothing to do
 * looks whether there is something, and yields. So while nobody has work, the core goes round, and
 * work that comes waits until its rank's turn; who has work keeps the core until that is done.
 */
final class SimulatedCore {
    /** Turns that are nearer to each other are one: what is added up in another order. */
    private static final double SAME_NANOS = 1e-6;

    private final double switchNanos;
    private final List<SimulatedRank> ranks = new ArrayList<>();
    private boolean isBusy;

    /** Who had the core last, by seat, and until when. */
    private int last = -1;

    private double freeNanos;

    private final SimulatedMemory memory;
    private final int number;

    private SimulatedCore(int number, double switchNanos, SimulatedMemory memory) {
        this.number = number;
        this.switchNanos = switchNanos;
        this.memory = memory;
    }

    /** That of its host. */
    SimulatedMemory memory() {
        return memory;
    }

    /** Among the host's cores. */
    int number() {
        return number;
    }

    /** Seats ranks, by their numbers. Returns whether some share a core. */
    static boolean seat(
            SimulatedRank[] ranks,
            Placement placement,
            HostCost cost,
            Seating seating,
            List<SimulatedMemory> memories) {
        boolean isShared = false;
        for (int host = 0; host < placement.hosts(); host++) {
            int[] here = placement.ranksOn(host);
            int count = cost.cores() == 0 ? here.length : Math.min(cost.cores(), here.length);
            SimulatedCore[] cores = new SimulatedCore[count];
            SimulatedMemory memory = memories.get(host);
            Arrays.setAll(cores, i -> new SimulatedCore(i, cost.switchNanos(), memory));
            for (int place = 0; place < here.length; place++) {
                cores[seating.core(place, here.length, count)].add(ranks[here[place]]);
            }
            for (int core = 1; seating.isStaggered() && core < count; core += 2) {
                cores[core].freeNanos = cores[core].roundNanos() / 2;
            }
            isShared |= count < here.length;
        }
        return isShared;
    }

    private void add(SimulatedRank rank) {
        rank.sit(this, ranks.size());
        ranks.add(rank);
    }

    private double roundNanos() {
        return ranks.size() * switchNanos;
    }

    boolean isBusy() {
        return isBusy;
    }

    void take(SimulatedRank rank) {
        isBusy = true;
        last = rank.seat();
    }

    void release(double nowNanos) {
        isBusy = false;
        freeNanos = nowNanos;
    }

    /** Of those that have work, whose turn is next; null: nobody has. */
    @Nullable SimulatedRank next(double nowNanos) {
        SimulatedRank next = null;
        double nextNanos = Double.POSITIVE_INFINITY;
        for (SimulatedRank rank : ranks) {
            if (rank.hasWork() && turnNanos(rank, nowNanos) < nextNanos) {
                next = rank;
                nextNanos = turnNanos(rank, nowNanos);
            }
        }
        return next;
    }

    /** When a rank has its next turn, if nobody else works until then: now, if it has it. */
    double turnNanos(SimulatedRank rank, double nowNanos) {
        if (ranks.size() == 1) {
            return nowNanos;
        }
        int behind = rank.seat() - last;
        int turns = last < 0 ? rank.seat() : behind > 0 ? behind : behind + ranks.size();
        double first = freeNanos + turns * switchNanos;
        if (first >= nowNanos) {
            return first;
        }
        double late = nowNanos - first - SAME_NANOS;
        return late <= 0 || roundNanos() == 0
                ? nowNanos
                : Math.max(nowNanos, first + Math.ceil(late / roundNanos()) * roundNanos());
    }
}
