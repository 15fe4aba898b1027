package io.nexar.collective.plan;

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
        Range own = Range.output(request.rank(), 1);
        Plan reduceScatter =
                Composition.part(request, Operation.REDUCE_SCATTER, DirectReduceScatter::plan);
        Plan allGather = Composition.part(request, Operation.ALL_GATHER, DirectAllGather::plan);
        return Composition.of(
                request,
                new int[0],
                new Composition.Part(
                        reduceScatter, range -> range.buffer() == BufferRole.OUTPUT ? own : range),
                new Composition.Part(
                        allGather, range -> range.buffer() == BufferRole.INPUT ? own : range));
    }
}
