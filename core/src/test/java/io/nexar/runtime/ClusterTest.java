package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.Nexar;
import io.nexar.NexarConfig;
import io.nexar.NexarException;
import io.nexar.OnEachTransport;
import io.nexar.PeerLostException;
import io.nexar.RankFailuresException;
import io.nexar.ReduceOp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;

/** Starting, ending and failing of whole ranks. */
@Timeout(60)
class ClusterTest {
    // Pitfall 16: alone, every collective is the identity, in place and not, and closing is quick.
    @Test
    void aWorldOfOneChangesNothingAndClosesAtOnce() {
        long closing;
        try (Nexar nexar = Nexar.join(NexarConfig.defaults())) {
            Communicator world = nexar.world();
            assertThat(world.size()).isOne();
            for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG)) {
                float[] in = {1.5f, -2, Float.NaN};
                float[] out = new float[3];
                world.allReduce(DataBuffer.of(in), DataBuffer.of(out), op);
                assertThat(out).containsExactly(in);
                world.allReduce(DataBuffer.of(out), op);
                assertThat(out).containsExactly(in);
                world.reduceScatter(DataBuffer.of(in), DataBuffer.of(out), op);
                assertThat(world.reduceScatter(DataBuffer.of(out), op).count()).isEqualTo(3);
                assertThat(out).containsExactly(in);
            }
            int[] gathered = new int[2];
            world.allGather(DataBuffer.of(new int[] {4, 5}), DataBuffer.of(gathered));
            world.allGather(DataBuffer.of(gathered));
            world.broadcast(DataBuffer.of(gathered), 0);
            world.barrier();
            requireIdentity(world, DataBuffer.of(new int[] {4, 5}), DataBuffer.of(gathered));
            requireIdentity(world, DataBuffer.of(gathered), DataBuffer.of(gathered));
            assertThat(gathered).containsExactly(4, 5);
            closing = System.nanoTime();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - closing)).isLessThan(Duration.ofSeconds(1));
    }

    private static void requireIdentity(Communicator world, DataBuffer send, DataBuffer receive) {
        long[] counts = {2};
        world.gather(send, receive, 0);
        world.gather(send, receive, counts, 0);
        world.scatter(send, receive, 0);
        world.scatter(send, counts, receive, 0);
        world.allGather(send, receive, counts);
        world.reduceScatter(send, receive, counts, ReduceOp.SUM);
        world.reduce(send, receive, ReduceOp.AVG, 0);
        world.scan(send, receive, ReduceOp.SUM);
        world.allReduce(List.of(receive), ReduceOp.PROD);
        world.allToAll(send, receive);
        world.allToAll(send, counts, receive, counts);
        world.prepare().allReduce(send, receive, ReduceOp.MAX).run();
        assertThat(receive.segment().mismatch(send.segment())).isEqualTo(-1);
    }

    @OnEachTransport
    void aTaskThatThrowsEndsTheOthersWaitingCallsAndAllAreReported(String transport) {
        IllegalStateException planted = new IllegalStateException("planted");
        try (LocalCluster cluster = start(transport, 3)) {
            assertThatExceptionOfType(RankFailuresException.class)
                    .isThrownBy(() ->
                            cluster.run(world -> {
                                if (world.rank() == 1) {
                                    throw planted;
                                }
                                world.barrier();
                            }))
                    .satisfies(failures -> {
                        assertThat(failures).hasCause(planted);
                        assertThat(failures.failures().get(1)).isSameAs(planted);
                        for (int survivor : new int[] {0, 2}) {
                            assertThat(failures.failures().get(survivor))
                                    .isInstanceOf(PeerLostException.class)
                                    .hasMessageContaining("rank 1")
                                    .hasMessageContaining("planted")
                                    .hasRootCause(planted);
                        }
                    });
        }
    }

    @OnEachTransport
    void aRankThatGivesUpACollectiveEndsItForAllWithItsReason(String transport) {
        try (LocalCluster cluster = start(transport, 4)) {
            cluster.run(world -> {
                // Rank 0 never comes; rank 2 is impatient; 1 and 3 would wait for ever.
                if (world.rank() == 0) {
                    return;
                }
                Communicator mine =
                        world.rank() == 2 ? world.withTimeout(Duration.ofMillis(200)) : world;
                assertThatExceptionOfType(NexarException.class)
                        .isThrownBy(mine::barrier)
                        .withMessageContaining("barrier #0")
                        .withMessageContaining("200");
            });
        }
    }

    @Test
    void aBrokenCommunicatorGivesItsFirstReasonAgain() {
        try (LocalCluster cluster = start("local", 2)) {
            assertThatExceptionOfType(RankFailuresException.class)
                    .isThrownBy(() ->
                            cluster.run(world -> {
                                if (world.rank() == 1) {
                                    throw new IllegalStateException("planted");
                                }
                                world.barrier();
                            }));
            Communicator survivor = cluster.communicators().get(0);
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(PeerLostException.class)
                        .isThrownBy(survivor::barrier)
                        .withMessageContaining("planted");
            }
        }
    }

    @OnEachTransport
    void closingLeavesNoThreadBehind(String transport) throws Exception {
        try (LocalCluster cluster = start(transport, 4)) {
            cluster.run(Communicator::barrier);
        }
        Threads.requireNone();
    }

    @Test
    void aSecondCloseDoesNothing() {
        LocalCluster cluster = start("local", 2);
        cluster.close();
        cluster.close();
    }

    @Test
    void aClusterWithoutRanksIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LocalCluster.start(0))
                .withMessageContaining("0 ranks");
    }

    // Pitfall 53: many ranks on one host, every pair linked: connections are used both ways.
    @Test
    void manyRanksOfOneHostAllReachEachOther() {
        int ranks = Boolean.getBoolean("nexar.test.full") ? 64 : 12;
        try (LocalCluster cluster = start("quic", ranks)) {
            cluster.run(world -> {
                int self = world.rank();
                for (int step = 1; step < world.size(); step++) {
                    int to = (self + step) % world.size();
                    int from = (self + world.size() - step) % world.size();
                    int[] got = new int[1];
                    world.sendReceive(
                            DataBuffer.of(new int[] {self * 1000 + step}),
                            to,
                            step,
                            DataBuffer.of(got),
                            from,
                            step);
                    assertThat(got[0]).isEqualTo(from * 1000 + step);
                }
            });
        }
    }

    private static LocalCluster start(String transport, int ranks) {
        return LocalCluster.start(ranks, NexarConfig.defaults().with("nexar.transport", transport));
    }
}
