package io.nexar.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Communicator;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Any form of any collective, by any algorithm, with any reduction of any type, on 1 to 9 ranks:
 * what comes out is what plain loops over exact numbers say, the same bits on all ranks where all
 * get the same, and nothing else in memory has changed.
 */
@Timeout(3600) // With the switch; a build's sample takes seconds.
class PropertyTest {
    private static final boolean FULL = Boolean.getBoolean("nexar.test.full");

    private static final int SIZE_MAX = 9;

    /** Cases that the ranks run through without meeting in between. */
    private static final int BATCH = 50;

    /** Small pieces and little credit, so that a hundred elements are several slices. */
    private static final NexarConfig CONFIG =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "256")
                    .with("nexar.collective.hostPieceBytes", "256")
                    .with("nexar.collective.creditBytes", "1KiB");

    // Pitfall 23: views at odd places, of odd counts; pitfalls 16 and 22: one rank, exclusive sums.
    @ParameterizedTest(name = "{0}, from seed {1}")
    @CsvSource({
        "local, 1, 1350, 60000",
        "quic, 1000001, 450, 20000",
        "shm, 2000001, 450, 20000",
        "tcp, 3000001, 450, 20000"
    })
    void everyCallGivesWhatPlainLoopsGive(String transport, long seed, int sample, int all)
            throws Exception {
        int cases = FULL ? all : sample;
        NexarConfig config = CONFIG.with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(SIZE_MAX, config)) {
            for (int size = 1; size <= SIZE_MAX; size++) {
                int ranks = size;
                List<Communicator> parts = cluster.call(world -> part(world, ranks));
                long first = seed + (long) cases * size;
                for (long from = first; from < first + cases / SIZE_MAX; from += BATCH) {
                    run(cluster, parts, ranks, from);
                }
                cluster.run(world -> parts.get(world.rank()).close());
            }
        }
    }

    /** A split of a split, in which the first ranks have turned their order round. */
    private static Communicator part(Communicator world, int ranks) {
        int color = world.rank() < ranks ? 0 : 1;
        try (Communicator parent = world.split(color, 0).orElseThrow()) {
            return parent.split(0, -world.rank()).orElseThrow();
        }
    }

    private static void run(LocalCluster cluster, List<Communicator> parts, int size, long from) {
        List<Case> batch =
                LongStream.range(from, from + BATCH)
                        .mapToObj(seed -> Case.draw(seed, size))
                        .toList();
        List<List<Integer>> digests =
                cluster.call(world -> {
                    List<Integer> mine = new ArrayList<>();
                    if (world.rank() < size) {
                        for (Case next : batch) {
                            mine.add(new Trial(next, parts.get(world.rank())).run());
                        }
                    }
                    return mine;
                });
        for (int rank = 1; rank < size; rank++) {
            for (int i = 0; i < BATCH; i++) {
                assertThat(digests.get(rank).get(i))
                        .as("rank %d of %s", rank, batch.get(i))
                        .isEqualTo(digests.get(0).get(i));
            }
        }
    }
}
