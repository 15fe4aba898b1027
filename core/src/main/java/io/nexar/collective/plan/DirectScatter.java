package io.nexar.collective.plan;

/**
 * Scatter by sending straight from the root (the linear scatter of E. Chan, M. Heimlich, A.
 * Purkayastha, R. van de Geijn, "Collective communication: theory, practice, and experience",
 * Concurrency and Computation 19(13), 2007).
 *
 * <p>The root sends each share to its rank, all at once. Nothing is sent twice, which is best for
 * large shares; the root's P - 1 messages are worst for small ones.
 *
 * <p>Cost: rounds 1, bytes per rank N(P-1)/P.
 */
final class DirectScatter {
    private DirectScatter() {}

    static Plan plan(PlanRequest request) {
        PlanBuilder plan = new PlanBuilder(request, request.size());
        int root = request.root();
        Range own = Range.output(0, 1);
        if (request.rank() != root) {
            return plan.receive(root, own).build();
        }
        plan.copy(Range.input(root, 1), own);
        for (int distance = 1; distance < request.size(); distance++) {
            int to = request.onRing(root + distance);
            plan.send(to, Range.input(to, 1));
        }
        return plan.build();
    }
}
