package io.nexar.collective.plan.check;

import io.nexar.Algorithm;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanRequest;

/** A plan is wrong: which one, where, and what is wrong there. */
public final class PlanFaultException extends IllegalStateException {
    private final transient PlanRequest request;
    private final int step;
    private final String fault;

    PlanFaultException(PlanRequest request, int step, String fault) {
        super(
                "%s by %s, rank %d of %d%s%s: %s"
                        .formatted(
                                request.operation().methodName(),
                                request.algorithm(),
                                request.rank(),
                                request.size(),
                                request.operation().isRooted() ? ", root " + request.root() : "",
                                step < 0 ? "" : ", step " + step,
                                fault));
        this.request = request;
        this.step = step;
        this.fault = fault;
    }

    public Operation operation() {
        return request.operation();
    }

    public Algorithm algorithm() {
        return request.algorithm();
    }

    public int rank() {
        return request.rank();
    }

    public int size() {
        return request.size();
    }

    public int root() {
        return request.root();
    }

    /** Index of the step in the rank's plan; -1 if the fault is the whole plan's. */
    public int step() {
        return step;
    }

    /** What is wrong, without where. */
    public String fault() {
        return fault;
    }
}
