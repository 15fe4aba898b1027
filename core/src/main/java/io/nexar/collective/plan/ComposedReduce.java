package io.nexar.collective.plan;

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
        int rank = request.rank();
        boolean isRoot = rank == request.root();
        Range own = isRoot ? Range.output(rank, 1) : Range.scratch(0, 1);
        Plan reduceScatter =
                Composition.part(request, Operation.REDUCE_SCATTER, DirectReduceScatter::plan);
        Plan gather = Composition.part(request, Operation.GATHER, DirectGather::plan);
        return Composition.of(
                request,
                isRoot ? new int[0] : new int[] {rank},
                new Composition.Part(
                        reduceScatter, range -> range.buffer() == BufferRole.OUTPUT ? own : range),
                new Composition.Part(
                        gather, range -> range.buffer() == BufferRole.INPUT ? own : range));
    }
}
