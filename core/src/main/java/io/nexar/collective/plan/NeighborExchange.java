package io.nexar.collective.plan;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * neighborExchange by direct exchange: each rank sends each neighbour its part at once (MPI 3.0,
 * section 7.6, "Neighborhood Collective Communication"). Nobody else is asked or waited for. A rank
 * that is its own neighbour copies.
 *
 * <p>Between two ranks that are neighbours several times the messages go in the order of the
 * sender's places, so the receiver takes them in the order of their numbers, not of its own places.
 *
 * <p>Cost: rounds 1, bytes per rank all that it has for others.
 */
final class NeighborExchange {
    private NeighborExchange() {}

    static Plan plan(PlanRequest request) {
        PlanBuilder plan = new PlanBuilder(request, NeighborShares.count(request.size()));
        NeighborShares numbers = new NeighborShares(request);
        int[] sent = numbers.sent();
        int[] received = numbers.received();
        int size = request.size();
        for (int place = 0; place < sent.length; place++) {
            int to = NeighborShares.receiver(sent[place], size);
            if (!NeighborShares.isNobodys(sent[place], size) && to != request.rank()) {
                plan.send(to, Range.input(place, 1));
            }
        }
        byNumber(received)
                .filter(place -> !NeighborShares.isNobodys(received[place], size))
                .forEach(place -> {
                    int from = NeighborShares.sender(received[place], size);
                    if (from != request.rank()) {
                        plan.receive(from, Range.output(place, 1));
                    }
                });
        copyOwn(plan, request, sent, received);
        return plan.build();
    }

    private static void copyOwn(PlanBuilder plan, PlanRequest request, int[] sent, int[] received) {
        int[] out = own(request, sent);
        int[] in = own(request, received);
        if (out.length != in.length) {
            throw new IllegalArgumentException(
                    "rank %d is its own destination %d times and its own source %d times"
                            .formatted(request.rank(), out.length, in.length));
        }
        for (int i = 0; i < out.length; i++) {
            plan.copy(Range.input(out[i], 1), Range.output(in[i], 1));
        }
    }

    /** The places of what this rank has for itself, by number. */
    private static int[] own(PlanRequest request, int[] shares) {
        int size = request.size();
        return byNumber(shares)
                .filter(place -> !NeighborShares.isNobodys(shares[place], size))
                .filter(place -> NeighborShares.sender(shares[place], size) == request.rank())
                .filter(place -> NeighborShares.receiver(shares[place], size) == request.rank())
                .toArray();
    }

    private static IntStream byNumber(int[] shares) {
        return IntStream.range(0, shares.length)
                .boxed()
                .sorted(Comparator.comparingInt(place -> shares[place]))
                .mapToInt(place -> place);
    }
}
