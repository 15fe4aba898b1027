package io.nexar.collective.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * allToAll in log2 P rounds, for short messages (J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D.
 * Weathersby, "Efficient algorithms for all-to-all communications in multiport message-passing
 * systems", IEEE Transactions on Parallel and Distributed Systems 8(11), 1997).
 *
 * <p>A share that must go i ranks to the right goes there in steps of the powers of two in i: in
 * exchange k each rank packs all shares it holds that still need the step 2^k, sends them to rank r
 * + 2^k as one message, and takes as many from rank r - 2^k. What has made its last step goes to
 * OUTPUT. Each share travels up to log2 P times, and a rank must know the sizes of shares that only
 * pass through it.
 *
 * <p>A slot has one share for the whole plan, so each exchange has slots of its own in SCRATCH for
 * what leaves and for what arrives, both sorted by distance.
 *
 * <p>Cost: rounds C, bytes per rank MB/P, where M is what each rank has for all, C is log2 P
 * rounded up, and B is how many ones the binary numbers below P have together.
 */
final class BruckAllToAll {
    private final PlanRequest request;
    private final int size;
    private final int rank;
    private final PlanBuilder plan;
    private final List<Integer> scratch = new ArrayList<>();

    /** The first slot of what arrives in each exchange. */
    private final List<Integer> arrivals = new ArrayList<>();

    private BruckAllToAll(PlanRequest request) {
        this.request = request;
        this.size = request.size();
        this.rank = request.rank();
        this.plan = new PlanBuilder(request, size * size);
    }

    static Plan plan(PlanRequest request) {
        return new BruckAllToAll(request).plan();
    }

    private Plan plan() {
        for (int k = 0; 1 << k < size; k++) {
            declare(k, k);
            arrivals.add(scratch.size());
            declare(k, k + 1);
        }
        plan.buffer(BufferRole.SCRATCH, scratch.stream().mapToInt(share -> share).toArray());
        plan.copy(Range.input(rank, 1), Range.output(rank, 1));
        for (int k = 0; 1 << k < size; k++) {
            int count = place(size, k);
            int departures = arrivals.get(k) - count;
            pack(k, departures);
            plan.nextRound()
                    .send(request.onRing(rank + (1 << k)), Range.scratch(departures, count))
                    .receive(request.onRing(rank - (1 << k)), Range.scratch(arrivals.get(k), count))
                    .nextRound();
            deliver(k);
        }
        return plan.build();
    }

    /** Slots for the shares that need step k, as this rank has them after so many steps. */
    private void declare(int k, int stepsDone) {
        for (int distance = 1; distance < size; distance++) {
            if (needs(distance, k)) {
                int origin = request.onRing(rank - stepped(distance, stepsDone));
                scratch.add(origin * size + request.onRing(origin + distance));
            }
        }
    }

    /** Copies what needs step k together; what lies side by side in both places goes at once. */
    private void pack(int k, int departures) {
        for (int distance = 1; distance < size; distance++) {
            if (needs(distance, k)) {
                Range from = held(distance, k);
                int to = departures + place(distance, k);
                int run = 1;
                while (distance + 1 < size
                        && needs(distance + 1, k)
                        && held(distance + 1, k)
                                .equals(new Range(from.buffer(), from.firstSlot() + run, 1))) {
                    distance++;
                    run++;
                }
                plan.copy(new Range(from.buffer(), from.firstSlot(), run), Range.scratch(to, run));
            }
        }
    }

    private void deliver(int k) {
        for (int distance = 1 << k; distance < Math.min(2 << k, size); distance++) {
            int from = request.onRing(rank - distance);
            plan.copy(held(distance, k + 1), Range.output(from, 1));
        }
    }

    /** Where the share that has so far to go in all lies after so many steps. */
    private Range held(int distance, int stepsDone) {
        int done = stepped(distance, stepsDone);
        if (done == 0) {
            return Range.input(request.onRing(rank + distance), 1);
        }
        int last = Integer.numberOfTrailingZeros(Integer.highestOneBit(done));
        return Range.scratch(arrivals.get(last) + place(distance, last), 1);
    }

    /** How far a share has come after so many steps. */
    private static int stepped(int distance, int stepsDone) {
        return distance & (1 << stepsDone) - 1;
    }

    private static boolean needs(int distance, int k) {
        return (distance >> k & 1) == 1;
    }

    /** How many smaller distances need step k. */
    private static int place(int distance, int k) {
        int rest = distance & (2 << k) - 1;
        return (distance >> k + 1 << k) + Math.max(0, rest - (1 << k));
    }
}
