package io.nexar.collective.plan;

/**
 * Broadcast as a scatter along a binomial tree and an allGather round a ring, for long vectors (R.
 * van de Geijn's algorithm, in R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
 * communication operations in MPICH", International Journal of High Performance Computing
 * Applications 19(1), 2005).
 *
 * <p>Ranks are numbered round the ring from the root; share v is number v's. First half: in each
 * round whoever has a block of shares sends its far half to the number where that begins, so that
 * number v ends with the shares from v on, as many as v's lowest bit says. Second half, {@link
 * RingAllGather}'s: in round k number v sends share v - k to its right. Shares that the right
 * neighbour has from the scatter are left out, so nothing is sent to the root.
 *
 * <p>Every share is received at its place in OUTPUT.
 *
 * <p>Cost: rounds C+P-1, bytes per rank 2N(P-1)/P; C is log2 P rounded up. The root sends that
 * much, others half of it and a little.
 */
final class ScatterAllGatherBroadcast {
    private final PlanRequest request;
    private final int size;
    private final int number;
    private final PlanBuilder plan;

    private ScatterAllGatherBroadcast(PlanRequest request) {
        this.request = request;
        this.size = request.size();
        this.number = request.onRing(request.rank() - request.root());
        this.plan = new PlanBuilder(request, size);
    }

    static Plan plan(PlanRequest request) {
        return new ScatterAllGatherBroadcast(request).plan();
    }

    private Plan plan() {
        if (number == 0) {
            plan.copy(Range.input(0, size), Range.output(0, size));
        }
        int round = 0;
        for (int distance = Integer.highestOneBit(size - 1); distance > 0; distance /= 2) {
            plan.round(round++);
            int place = number % (2 * distance);
            int far = place == 0 ? number + distance : number;
            int length = Math.min(distance, size - far);
            if (place == 0 && far < size) {
                plan.send(request.onRing(request.rank() + distance), held(far, length));
            } else if (place == distance) {
                plan.receive(request.onRing(request.rank() - distance), held(far, length));
            }
        }
        for (int k = 0; k < size - 1; k++) {
            plan.round(round++);
            int leaving = request.onRing(number - k);
            int arriving = request.onRing(number - k - 1);
            if (!isScatteredTo(request.onRing(number + 1), leaving)) {
                plan.send(request.next(), held(leaving, 1));
            }
            if (!isScatteredTo(number, arriving)) {
                plan.receive(request.previous(), held(arriving, 1));
            }
        }
        return plan.build();
    }

    private Range held(int share, int shares) {
        return number == 0 ? Range.input(share, shares) : Range.output(share, shares);
    }

    private boolean isScatteredTo(int toNumber, int share) {
        return toNumber == 0
                || share >= toNumber && share < toNumber + Integer.lowestOneBit(toNumber);
    }
}
