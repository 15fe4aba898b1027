package io.nexar.collective.plan;

import static io.nexar.collective.plan.Operation.GATHER;
import static io.nexar.collective.plan.Operation.REDUCE_SCATTER;

import io.nexar.Algorithm;

/**
 * Reduce as a reduceScatter and a gather, one after the other (E. Chan, M. Heimlich, A.
 * Purkayastha, R. van de Geijn, "Collective communication: theory, practice, and experience",
 * Concurrency and Computation 19(13), 2007).
 *
 * <p>The parts are {@link DirectReduceScatter}, whose result goes to its place in the root's OUTPUT
 * and into SCRATCH elsewhere, and {@link DirectGather} from there: all ranks share the work of
 * combining, in two rounds. Operands are in rank order, with the brackets of {@link
 * DirectAllReduce}.
 *
 * <p>Cost: rounds 2, bytes per rank N.
 */
final class ComposedReduce {
    private ComposedReduce() {}

    static Plan plan(PlanRequest request) {
        Composition whole = new Composition(request, request.size());
        Composition.Place result = whole.place(BufferRole.OUTPUT);
        Composition.Place own =
                request.rank() == request.root() ? result : whole.scratch(request.rank());
        whole.all(REDUCE_SCATTER, Algorithm.DIRECT, whole.place(BufferRole.INPUT), own);
        whole.all(GATHER, Algorithm.DIRECT, own, result);
        return whole.build();
    }
}
