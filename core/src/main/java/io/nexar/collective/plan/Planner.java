package io.nexar.collective.plan;

/** One algorithm of one operation: a pure function from a request to one rank's plan. */
@FunctionalInterface
public interface Planner {
    Plan plan(PlanRequest request);
}
