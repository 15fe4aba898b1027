package io.nexar.collective.plan;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Plans by request, bounded by the number of their steps together; the plan that came first goes
 * first. A job uses few plans (an operation, an algorithm, a root), so the order hardly matters,
 * and finding one takes no lock and writes nothing. A plan that is bigger than the whole bound is
 * not kept.
 */
final class PlanCache {
    /**
     * A step takes about 200 bytes with its ranges and dependencies: 13 MB at most. It is enough
     * for the plans of all seven algorithms at 1,024 ranks, or for thousands at 8.
     */
    static final int STEPS_MAX = 1 << 16;

    private final int stepsMax;
    private final Map<PlanRequest, Plan> plans = new ConcurrentHashMap<>();

    /** In the order in which they came; guarded by this. */
    private final Queue<Plan> inOrder = new ArrayDeque<>();

    /** Guarded by this. */
    private int steps;

    PlanCache(int stepsMax) {
        if (stepsMax < 0) {
            throw new IllegalArgumentException("a store for %d steps".formatted(stepsMax));
        }
        this.stepsMax = stepsMax;
    }

    @Nullable Plan find(PlanRequest request) {
        return plans.get(request);
    }

    synchronized void keep(Plan plan) {
        if (weight(plan) > stepsMax || plans.putIfAbsent(plan.request(), plan) != null) {
            return;
        }
        inOrder.add(plan);
        steps += weight(plan);
        while (steps > stepsMax) {
            Plan oldest = inOrder.remove();
            plans.remove(oldest.request());
            steps -= weight(oldest);
        }
    }

    /** A plan without steps takes room as well. */
    private static int weight(Plan plan) {
        return Math.max(plan.stepCount(), 1);
    }
}
