package io.nexar.collective.plan.cost;

import io.nexar.collective.plan.Placement;

import java.util.Arrays;

/**
 * The ranks whose plans are looked at, and for how many each stands. In small worlds that is every
 * rank. In larger ones it is some hosts, and of each its first and its last rank, which have
 * neighbours elsewhere, and two neighbours in the middle, which stand for the others.
 *
 * @param ranks those of one host together
 * @param weights how many ranks of its host each stands for
 * @param hostBegins where in {@code ranks} each host begins, and the end
 */
record Sample(int[] ranks, double[] weights, int[] hostBegins) {
    /** Up to here every rank's plan is looked at: that takes milliseconds. */
    private static final int EVERY_RANK_UP_TO = 32;

    static Sample of(Placement placement) {
        boolean isWhole = placement.size() <= EVERY_RANK_UP_TO;
        int[] hosts = isWhole ? all(placement.hosts()) : some(placement.hosts());
        int[] ranks = {};
        double[] weights = {};
        int[] begins = new int[hosts.length + 1];
        for (int i = 0; i < hosts.length; i++) {
            int[] there = placement.ranksOn(hosts[i]);
            int[] chosen = isWhole ? all(there.length) : some(there.length);
            int first = ranks.length;
            ranks = Arrays.copyOf(ranks, first + chosen.length);
            weights = Arrays.copyOf(weights, first + chosen.length);
            for (int k = 0; k < chosen.length; k++) {
                boolean isBorder = k == 0 || k == chosen.length - 1;
                ranks[first + k] = there[chosen[k]];
                weights[first + k] = isBorder ? 1 : (there.length - 2.0) / (chosen.length - 2);
            }
            begins[i + 1] = ranks.length;
        }
        return new Sample(ranks, weights, begins);
    }

    int size() {
        return ranks.length;
    }

    int hosts() {
        return hostBegins.length - 1;
    }

    private static int[] all(int count) {
        int[] numbers = new int[count];
        Arrays.setAll(numbers, i -> i);
        return numbers;
    }

    /** The first, the last, and two neighbours between; all of up to four. */
    private static int[] some(int count) {
        return count <= 4
                ? all(count)
                : new int[] {0, (count - 1) / 2, (count - 1) / 2 + 1, count - 1};
    }
}
