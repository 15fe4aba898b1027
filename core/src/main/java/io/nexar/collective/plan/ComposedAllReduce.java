package io.nexar.collective.plan;

import static io.nexar.collective.plan.Operation.ALL_GATHER;
import static io.nexar.collective.plan.Operation.REDUCE_SCATTER;

import io.nexar.Algorithm;

/**
 * allReduce as a reduceScatter and an allGather, one after the other (E. Chan, M. Heimlich, A.
 * Purkayastha, R. van de Geijn, "Collective communication: theory, practice, and experience",
 * Concurrency and Computation 19(13), 2007).
 *
 * <p>The parts are {@link DirectReduceScatter}, whose result goes to its place in OUTPUT, and
 * {@link DirectAllGather} from there. That is the ring's bytes in two rounds, for P - 1 messages a
 * round: for few ranks. Operands are in rank order, with the brackets of {@link DirectAllReduce}:
 * both give the same bits.
 *
 * <p>Cost: rounds 2, bytes per rank 2N(P-1)/P.
 */
final class ComposedAllReduce {
    private ComposedAllReduce() {}

    static Plan plan(PlanRequest request) {
        Composition whole = new Composition(request, request.size());
        Composition.Place result = whole.place(BufferRole.OUTPUT);
        whole.all(REDUCE_SCATTER, Algorithm.DIRECT, whole.place(BufferRole.INPUT), result);
        whole.all(ALL_GATHER, Algorithm.DIRECT, result, result);
        return whole.build();
    }
}
