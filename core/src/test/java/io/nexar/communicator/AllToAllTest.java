package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/** allToAll, even and uneven, in place and not. */
@Timeout(120)
class AllToAllTest {
    /** 32 longs to a slice. */
    private static final NexarConfig CONFIG =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "256")
                    .with("nexar.collective.hostPieceBytes", "256")
                    .with("nexar.collective.creditBytes", "512");

    private static long value(int from, int to, int index) {
        return from * 1_000_000L + to * 10_000L + index;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void eachRankGetsItsPartOfEveryRank(int size) {
        List<Algorithm> algorithms = new ArrayList<>(PlanCatalog.algorithms(Operation.ALL_TO_ALL));
        algorithms.add(Algorithm.AUTO);
        try (LocalCluster cluster = LocalCluster.start(size, CONFIG)) {
            cluster.run(world -> {
                for (Algorithm algorithm : algorithms) {
                    for (int count : new int[] {0, 1, 33, 101}) {
                        even(world.withAlgorithm(algorithm), count);
                        if (algorithm != Algorithm.BRUCK) {
                            uneven(world.withAlgorithm(algorithm), count);
                        }
                    }
                }
            });
        }
    }

    private static void even(Communicator world, int count) {
        int rank = world.rank();
        int total = count * world.size();
        String what = "allToAll of %d on %d".formatted(count, rank);
        Longs send = Longs.of(1, total, i -> value(rank, i / count, i % count));
        Longs receive = Longs.untouched(3, total);
        world.allToAll(send.buffer(), receive.buffer());
        send.require(what, i -> value(rank, i / count, i % count));
        receive.require(what, i -> value(i / count, rank, i % count));
        world.async().allToAll(send.buffer(), send.buffer()).await();
        send.require(what + " in place", i -> value(i / count, rank, i % count));
    }

    /** What one rank has for another: nothing for itself, more for ranks further on its right. */
    private static int has(int from, int to, int size, int step) {
        return Math.floorMod(to - from, size) * step;
    }

    private static void uneven(Communicator world, int step) {
        int rank = world.rank();
        int size = world.size();
        String what = "uneven allToAll by %d on %d".formatted(step, rank);
        long[] to = new long[size];
        long[] from = new long[size];
        List<Long> sent = new ArrayList<>();
        List<Long> expected = new ArrayList<>();
        for (int peer = 0; peer < size; peer++) {
            to[peer] = has(rank, peer, size, step);
            from[peer] = has(peer, rank, size, step);
            for (int i = 0; i < to[peer]; i++) {
                sent.add(value(rank, peer, i));
            }
            for (int i = 0; i < from[peer]; i++) {
                expected.add(value(peer, rank, i));
            }
        }
        Longs send = Longs.of(1, sent.size(), sent::get);
        Longs receive = Longs.untouched(3, expected.size());
        world.allToAll(send.buffer(), to, receive.buffer(), from);
        send.require(what, sent::get);
        receive.require(what, expected::get);
        // As many in all, but in other parts: each part's place is another one afterwards.
        world.async().allToAll(send.buffer(), to, send.buffer(), from).await();
        send.require(what + " in place", expected::get);
    }

    @Test
    void whatCannotBeRightIsRefusedOnEveryRankBeforeAByteMoves() {
        try (LocalCluster cluster = LocalCluster.start(3, CONFIG)) {
            cluster.run(world -> {
                DataBuffer three = DataBuffer.of(new long[3]);
                DataBuffer other = DataBuffer.of(new long[3]);
                DataBuffer two = DataBuffer.of(new long[2]);
                long[] ones = {1, 1, 1};
                refused(() -> world.allToAll(three, two), "must have 3");
                refused(() -> world.allToAll(two, two), "2 elements for 3 ranks");
                refused(() -> world.allToAll(three, ones, two, ones), "must have 3");
                refused(() -> world.allToAll(three, ones, other, new long[] {3}), "1 counts for 3");
                long[] moreOfMe = ones.clone();
                moreOfMe[world.rank()]++;
                moreOfMe[(world.rank() + 1) % 3]--;
                refused(() -> world.allToAll(three, ones, other, moreOfMe), "must be the same");
                DataBuffer four = DataBuffer.of(new long[4]);
                refused(() -> world.allToAll(four.slice(0, 3), four.slice(1, 3)), "overlap");
                refused(
                        () ->
                                world.withAlgorithm(Algorithm.BRUCK)
                                        .async()
                                        .allToAll(three, ones, other, ones),
                        "BRUCK, which passes shares on");
                world.allToAll(three, other);
            });
        }
    }

    private static void refused(Runnable call, String rule) {
        assertThatIllegalArgumentException().isThrownBy(call::run).withMessageContaining(rule);
    }
}
