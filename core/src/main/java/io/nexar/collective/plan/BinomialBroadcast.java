package io.nexar.collective.plan;

/**
 * Broadcast along a binomial tree (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of
 * collective communication operations in MPICH", International Journal of High Performance
 * Computing Applications 19(1), 2005).
 *
 * <p>Ranks are counted from the root. In each round whoever has the vector sends it to the rank at
 * half the distance of the round before, so that the far half of the ring starts first: number v
 * receives when the distance is v's lowest bit, and serves the distances below it.
 *
 * <p>Cost: rounds C, bytes per rank NC; C is log2 P rounded up. The root sends that much, a rank at
 * distance v from it N times the number of v's trailing zero bits at most.
 */
final class BinomialBroadcast {
    private BinomialBroadcast() {}

    static Plan plan(PlanRequest request) {
        int size = request.size();
        int number = request.onRing(request.rank() - request.root());
        Range whole = Range.output(0, 1);
        Range source = number == 0 ? Range.input(0, 1) : whole;
        PlanBuilder plan = new PlanBuilder(request, 1);
        if (number == 0) {
            plan.copy(source, whole);
        }
        int round = 0;
        for (int distance = Integer.highestOneBit(size - 1); distance > 0; distance /= 2) {
            plan.round(round++);
            int place = number % (2 * distance);
            if (place == 0 && number + distance < size) {
                plan.send(request.onRing(request.rank() + distance), source);
            } else if (place == distance) {
                plan.receive(request.onRing(request.rank() - distance), whole);
            }
        }
        return plan.build();
    }
}
