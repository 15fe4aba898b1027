package io.nexar.collective.plan;

/**
 * Broadcast by sending straight from the root to everybody (folklore; E. Chan, M. Heimlich, A.
 * Purkayastha, R. van de Geijn, "Collective communication: theory, practice, and experience",
 * Concurrency and Computation 19(13), 2007).
 *
 * <p>Nobody waits for anybody but the root, and where memory is lent all read the root's at the
 * same time: best within a host. Over wires the root's P - 1 messages are worst for long vectors.
 *
 * <p>Cost: rounds 1, bytes per rank N(P-1).
 */
final class DirectBroadcast {
    private DirectBroadcast() {}

    static Plan plan(PlanRequest request) {
        PlanBuilder plan = new PlanBuilder(request, 1);
        Range whole = Range.output(0, 1);
        int root = request.root();
        if (request.rank() != root) {
            return plan.receive(root, whole).build();
        }
        Range source = Range.input(0, 1);
        plan.copy(source, whole);
        for (int distance = 1; distance < request.size(); distance++) {
            plan.send(request.onRing(root + distance), source);
        }
        return plan.build();
    }
}
