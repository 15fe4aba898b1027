package io.nexar.collective.plan.check;

import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/** The plans of all ranks for one collective, by rank. */
record World(List<Plan> plans) {
    int size() {
        return plans.size();
    }

    Plan plan(int rank) {
        return plans.get(rank);
    }

    Operation operation() {
        return plans.getFirst().request().operation();
    }

    int root() {
        return plans.getFirst().request().root();
    }

    /** Where it is not known, all ranks on one host. */
    Placement placement() {
        Placement given = plans.getFirst().request().placement();
        return given == null ? Placement.oneHost(size()) : given;
    }

    PlanFaultException fault(int rank, int step, String what) {
        return new PlanFaultException(plan(rank).request(), step, what);
    }

    /** The fault of a rank's whole plan. */
    PlanFaultException fault(int rank, String what) {
        return fault(rank, -1, what);
    }

    /** A range that {@link Shape} has found to be there. */
    static Range range(@Nullable Range range) {
        return Objects.requireNonNull(range, "range of a step that was checked");
    }
}
