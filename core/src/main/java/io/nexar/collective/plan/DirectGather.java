package io.nexar.collective.plan;

/**
 * Gather by sending straight to the root (the linear gather of E. Chan, M. Heimlich, A.
 * Purkayastha, R. van de Geijn, "Collective communication: theory, practice, and experience",
 * Concurrency and Computation 19(13), 2007).
 *
 * <p>Everybody sends its share at once, and the root takes each to its place in whatever order they
 * come. Nothing is sent twice, which is best for large shares; the root's P - 1 messages are worst
 * for small ones.
 *
 * <p>Cost: rounds 1, bytes per rank N/P.
 */
final class DirectGather {
    private DirectGather() {}

    static Plan plan(PlanRequest request) {
        PlanBuilder plan = new PlanBuilder(request, request.size());
        int root = request.root();
        Range own = Range.input(0, 1);
        if (request.rank() != root) {
            return plan.send(root, own).build();
        }
        plan.copy(own, Range.output(root, 1));
        for (int distance = 1; distance < request.size(); distance++) {
            int from = request.onRing(root + distance);
            plan.receive(from, Range.output(from, 1));
        }
        return plan.build();
    }
}
