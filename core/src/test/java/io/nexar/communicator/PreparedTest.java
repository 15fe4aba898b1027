package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.Algorithm;
import io.nexar.ClosedException;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.PreparedCollective;
import io.nexar.PreparingCommunicator;
import io.nexar.ReduceOp;
import io.nexar.Request;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;

/** Calls that are bound once and started many times. */
@Timeout(120)
class PreparedTest {
    /** 32 longs to a slice. */
    private static final NexarConfig CONFIG =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "256")
                    .with("nexar.collective.hostPieceBytes", "256")
                    .with("nexar.collective.creditBytes", "512");

    private static final int STARTS = 5;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void eachStartTakesWhatTheBuffersHoldThen(int size) {
        try (LocalCluster cluster = LocalCluster.start(size, CONFIG)) {
            cluster.run(world -> {
                everyForm(world);
                everyForm(world.withAlgorithm(Algorithm.AUTO));
            });
        }
    }

    private static void everyForm(Communicator world) {
        int rank = world.rank();
        int size = world.size();
        long[] one = new long[40];
        long[] all = new long[40 * size];
        DataBuffer part = DataBuffer.of(one);
        DataBuffer whole = DataBuffer.of(all);
        long[] counts = new long[size];
        Arrays.fill(counts, 40);
        PreparingCommunicator prepare = world.prepare();
        PreparedCollective sum = prepare.allReduce(part, ReduceOp.SUM);
        PreparedCollective gather = prepare.gather(part, rank == 0 ? whole : null, counts, 0);
        PreparedCollective exchange = prepare.allToAll(whole, whole);
        PreparedCollective before = prepare.exclusiveScan(part, part, ReduceOp.SUM);
        PreparedCollective fused = prepare.allReduce(List.of(part, whole), ReduceOp.MAX);
        PreparedCollective barrier = prepare.barrier();
        for (long start = 1; start <= STARTS; start++) {
            one[7] = start + rank;
            run(sum, start);
            assertThat(one[7]).isEqualTo(size * start + size * (size - 1L) / 2);
            one[7] = start + rank;
            run(before, start);
            assertThat(one[7]).isEqualTo(rank * start + rank * (rank - 1L) / 2);
            run(barrier, start);
            one[7] = 1000 * start + rank;
            run(gather, start);
            for (int from = 0; from < size && rank == 0; from++) {
                assertThat(all[40 * from + 7]).isEqualTo(1000 * start + from);
            }
            for (int to = 0; to < size; to++) {
                all[40 * to] = 100 * start + 10L * rank + to;
            }
            run(exchange, start);
            for (int from = 0; from < size; from++) {
                assertThat(all[40 * from]).isEqualTo(100 * start + 10L * from + rank);
            }
            all[3] = start * rank;
            run(fused, start);
            assertThat(all[3]).isEqualTo(start * (size - 1L));
        }
    }

    /** Blocking and not, in turn. */
    private static void run(PreparedCollective prepared, long start) {
        if (start % 2 == 0) {
            prepared.run();
        } else {
            prepared.start().await();
        }
    }

    @Test
    void aPreparedCallMeetsTheSameCallThatWasNot() {
        try (LocalCluster cluster = LocalCluster.start(2, CONFIG)) {
            cluster.run(world -> {
                long[] data = {1};
                DataBuffer buffer = DataBuffer.of(data);
                PreparedCollective prepared = world.prepare().allReduce(buffer, ReduceOp.SUM);
                world.barrier();
                if (world.rank() == 0) {
                    prepared.run();
                } else {
                    world.allReduce(buffer, ReduceOp.SUM);
                }
                assertThat(data[0]).isEqualTo(2);
            });
        }
    }

    @Test
    void aStartBeforeTheLastOneIsOverIsRefusedAndHarmsNothing() {
        try (LocalCluster cluster = LocalCluster.start(2, CONFIG)) {
            cluster.run(world -> {
                long[] data = {1};
                PreparedCollective prepared =
                        world.prepare().allReduce(DataBuffer.of(data), ReduceOp.SUM);
                PreparedCollective other = world.prepare().barrier();
                if (world.rank() == 0) {
                    Request<Void> first = prepared.start();
                    assertThatIllegalStateException()
                            .isThrownBy(prepared::start)
                            .withMessageContaining("allReduce #0 on world")
                            .withMessageContaining("still under way");
                    assertThatIllegalStateException().isThrownBy(prepared::run);
                    // Others may start meanwhile.
                    Request<Void> second = other.start();
                    world.send(DataBuffer.of(new long[1]), 1, 0);
                    Request.awaitAll(first, second);
                } else {
                    world.receive(DataBuffer.of(new long[1]), 0, 0);
                    prepared.run();
                    other.run();
                }
                assertThat(data[0]).isEqualTo(2);
                prepared.run();
                assertThat(data[0]).isEqualTo(4);
            });
        }
    }

    @Test
    void badArgumentsAreRefusedWhenItIsPrepared() {
        try (LocalCluster cluster = LocalCluster.start(2, CONFIG)) {
            cluster.run(world -> {
                DataBuffer buffer = DataBuffer.of(new long[3]);
                PreparingCommunicator prepare = world.prepare();
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> prepare.broadcast(buffer, 2))
                        .withMessageContaining("root 2");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> prepare.allToAll(buffer, buffer))
                        .withMessageContaining("3 elements for 2 ranks");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> prepare.scan(buffer, buffer, ReduceOp.AVG));
                PreparedCollective nothing = prepare.allReduce(List.of(), ReduceOp.SUM);
                if (world.rank() == 0) {
                    nothing.run();
                    assertThat(nothing.start().isDone()).isTrue();
                }
                world.barrier();
            });
        }
    }

    @Test
    void itLivesAsLongAsItsCommunicator() {
        try (LocalCluster cluster = LocalCluster.start(2, CONFIG)) {
            cluster.run(world -> {
                Communicator own = world.duplicate();
                PreparedCollective prepared = own.prepare().barrier();
                prepared.run();
                own.close();
                assertThatThrownBy(prepared::run).isInstanceOf(ClosedException.class);
                assertThatThrownBy(prepared::start).isInstanceOf(ClosedException.class);
            });
        }
    }
}
