package io.nexar.property;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** What the oracle says that each rank ends with. */
record Expected(Case made) {
    List<Expectation> at(int rank) {
        return switch (made.form()) {
            case BROADCAST -> exactly(made.input(made.root()));
            case REDUCE, ALL_REDUCE, ALL_REDUCE_LIST -> reduced(made.size());
            case GATHER, GATHER_UNEVEN, ALL_GATHER, ALL_GATHER_UNEVEN, ALL_GATHER_ONE ->
                    exactly(inputs(made.size()).stream().flatMap(List::stream).toList());
            case SCATTER, SCATTER_UNEVEN -> exactly(share(made.input(made.root()), rank));
            case REDUCE_SCATTER, REDUCE_SCATTER_UNEVEN, REDUCE_SCATTER_ONE ->
                    share(reduced(made.size()), rank);
            case ALL_TO_ALL, ALL_TO_ALL_UNEVEN -> exactly(fromEach(rank));
            case SCAN -> reduced(rank + 1);
            case EXCLUSIVE_SCAN -> rank == 0 ? identities() : reduced(rank);
        };
    }

    private List<List<Element>> inputs(int ranks) {
        return IntStream.range(0, ranks).mapToObj(made::input).toList();
    }

    /** Of the first so many ranks. */
    private List<Expectation> reduced(int ranks) {
        return Oracle.reduce(
                Objects.requireNonNull(made.reduction()), made.type(), inputs(ranks), made.size());
    }

    private List<Expectation> identities() {
        Expectation identity =
                Oracle.identity(Objects.requireNonNull(made.reduction()), made.type());
        return made.input(0).stream().map(element -> identity).toList();
    }

    private List<Element> fromEach(int rank) {
        List<Element> all = new ArrayList<>();
        for (int from = 0; from < made.size(); from++) {
            long[] counts = made.sendCounts(from);
            int begin = 0;
            for (int to = 0; to < rank; to++) {
                begin += Math.toIntExact(counts[to]);
            }
            int end = begin + Math.toIntExact(counts[rank]);
            all.addAll(made.input(from).subList(begin, end));
        }
        return all;
    }

    private <T> List<T> share(List<T> whole, int rank) {
        int begin = Math.toIntExact(made.offset(rank));
        return whole.subList(begin, begin + Math.toIntExact(made.counts().get(rank)));
    }

    private static List<Expectation> exactly(List<Element> elements) {
        return elements.stream().map(Expectation::of).toList();
    }
}
