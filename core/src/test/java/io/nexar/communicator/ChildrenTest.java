package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nexar.ClosedException;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DeadlineException;
import io.nexar.LocalCluster;
import io.nexar.MismatchException;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.PeerLeftException;
import io.nexar.RankFailuresException;
import io.nexar.ReduceOp;
import io.nexar.wire.CommunicatorPath;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Communicators made out of communicators, and what becomes of those that use a closed one. */
@Timeout(60)
class ChildrenTest {
    private static final Duration SOON = Duration.ofSeconds(1);

    @OnEachTransport
    void splitOrdersEachColourByKeyThenRank(String transport) {
        try (LocalCluster cluster = start(transport, 5)) {
            cluster.run(world -> {
                int color = world.rank() % 2;
                // Ranks 0 and 4 share a key and keep their order; 2 goes first, 3 before 1.
                int key = new int[] {7, 9, -1, 2, 7}[world.rank()];
                Communicator child = world.split(color, key).orElseThrow();
                List<Integer> order = color == 0 ? List.of(2, 0, 4) : List.of(3, 1);
                assertThat(child.size()).isEqualTo(order.size());
                assertThat(child.rank()).isEqualTo(order.indexOf(world.rank()));
                assertThat(child.member(0)).isEqualTo(world.member(order.get(0)));
                assertThat(child.name()).isEqualTo("world.split(0)[" + color + "]");
                assertThat(child.epoch()).isEqualTo(world.epoch());
                assertThat(sum(child, world.rank() + 1)).isEqualTo(color == 0 ? 9 : 6);
                assertThat(sum(world, 1)).isEqualTo(5);
            });
        }
    }

    @Test
    void aNegativeColourJoinsNone() {
        try (LocalCluster cluster = start("local", 3)) {
            cluster.run(world -> {
                Optional<Communicator> child = world.split(world.rank() == 1 ? -1 : 4, 0);
                assertThat(child.isPresent()).isEqualTo(world.rank() != 1);
                child.ifPresent(pair -> assertThat(sum(pair, 10)).isEqualTo(20));
                world.barrier();
            });
        }
    }

    @OnEachTransport
    void ranksOfOneHostAreOneCommunicator(String transport) {
        try (LocalCluster cluster = start(transport, 3)) {
            cluster.run(world -> {
                Communicator host = world.splitByHost();
                assertThat(host.size()).isEqualTo(3);
                assertThat(host.rank()).isEqualTo(world.rank());
                assertThat(sum(host, 1)).isEqualTo(3);
            });
        }
    }

    // Pitfall 80: a helper of a group may neither outlive it nor die too early.
    @OnEachTransport
    void childrenOfChildrenOutliveTheirParents(String transport) {
        try (LocalCluster cluster = start(transport, 4)) {
            cluster.run(world -> {
                Communicator first = world.duplicate();
                Communicator second = first.split(world.rank() / 2, 0).orElseThrow();
                first.close();
                Communicator third = second.duplicate();
                second.close();
                assertThat(third.name())
                        .isEqualTo(
                                "world.duplicate(0).split(0)[%d].duplicate(0)", world.rank() / 2);
                assertThat(sum(third, 5)).isEqualTo(10);
                assertThatExceptionOfType(ClosedException.class)
                        .isThrownBy(first::barrier)
                        .withMessageContaining("world.duplicate(0)");
                world.barrier();
            });
        }
    }

    @Test
    void aChildHasTheOptionsOfTheViewThatItWasMadeFrom() {
        try (LocalCluster cluster = start("local", 2)) {
            cluster.run(world -> {
                Communicator child = world.withTimeout(Duration.ofMillis(150)).duplicate();
                assertThatExceptionOfType(DeadlineException.class)
                        .isThrownBy(() -> child.receive(DataBuffer.of(new int[1]), 0, 3))
                        .withMessageContaining("150 ms");
                world.barrier();
            });
        }
    }

    @Test
    void messagesOfOneCommunicatorAreNeverReceivedOnAnother() {
        try (LocalCluster cluster = start("local", 2)) {
            cluster.run(world -> {
                Communicator child = world.duplicate();
                int peer = 1 - world.rank();
                world.send(DataBuffer.of(new int[] {1}), peer, 7);
                child.send(DataBuffer.of(new int[] {2}), peer, 7);
                int[] got = new int[2];
                child.receive(DataBuffer.of(got, 0, 1), Communicator.ANY_SOURCE, 7);
                world.receive(DataBuffer.of(got, 1, 1), Communicator.ANY_SOURCE, 7);
                assertThat(got).containsExactly(2, 1);
            });
        }
    }

    @Test
    void ranksThatMakeDifferentChildrenAreToldBothCalls() {
        try (LocalCluster cluster = start("local", 2)) {
            assertThatExceptionOfType(RankFailuresException.class)
                    .isThrownBy(() ->
                            cluster.run(world -> {
                                if (world.rank() == 0) {
                                    world.duplicate();
                                } else {
                                    world.barrier();
                                }
                            }))
                    .satisfies(failures ->
                            assertThat(failures.failures().values())
                                    .anySatisfy(failure ->
                                            assertThat(failure)
                                                    .isInstanceOf(MismatchException.class)));
        }
    }

    // Pitfall 37: who still needs a rank that closed hears that it left, not something general.
    @OnEachTransport
    void whoNeedsARankThatClosedTheCommunicatorIsToldWithinASecond(String transport) {
        try (LocalCluster cluster = start(transport, 4)) {
            cluster.run(world -> {
                Communicator job = world.duplicate();
                for (int step = 0; step < 5; step++) {
                    assertThat(sum(job, step)).isEqualTo(4 * step);
                }
                world.barrier(); // an abort of the next step may come before the last of this one
                if (world.rank() == 2) {
                    job.close();
                } else {
                    long begin = System.nanoTime();
                    assertThatExceptionOfType(PeerLeftException.class)
                            .isThrownBy(() -> sum(job, 1))
                            .withMessageContaining("rank 2")
                            .withMessageContaining("closed the communicator")
                            .satisfies(left -> assertThat(left.rank()).isEqualTo(2));
                    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
                }
                assertThat(sum(world, 1)).isEqualTo(4);
            });
        }
    }

    @OnEachTransport
    void whatWasSentBeforeACloseIsReceivedAndWhatWasNotIsNot(String transport) {
        try (LocalCluster cluster = start(transport, 2)) {
            cluster.run(world -> {
                Communicator child = world.duplicate();
                if (world.rank() == 0) {
                    for (int i = 0; i < 20; i++) {
                        child.send(DataBuffer.of(new int[] {i}), 1, i % 3);
                    }
                    child.close();
                } else {
                    int[] got = new int[1];
                    for (int i = 0; i < 20; i++) {
                        child.receive(DataBuffer.of(got), Communicator.ANY_SOURCE, i % 3);
                        assertThat(got[0]).isEqualTo(i);
                    }
                    assertThatExceptionOfType(PeerLeftException.class)
                            .isThrownBy(() -> child.receive(DataBuffer.of(got), 0, 0));
                    assertThatExceptionOfType(PeerLeftException.class)
                            .isThrownBy(() -> child.send(DataBuffer.of(got), 0, 0));
                }
            });
        }
    }

    @Test
    void tooManySplitsOfSplitsAreRefusedBeforeAnythingIsSent() {
        try (LocalCluster cluster = start("local", 1)) {
            List<Communicator> chain = new ArrayList<>(cluster.communicators());
            for (int i = 0; i < CommunicatorPath.DEPTH_MAX; i++) {
                chain.add(chain.getLast().duplicate());
            }
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> chain.getLast().duplicate())
                    .withMessageContaining("64");
        }
    }

    private static int sum(Communicator communicator, int value) {
        int[] data = {value};
        communicator.allReduce(DataBuffer.of(data), ReduceOp.SUM);
        return data[0];
    }

    private static LocalCluster start(String transport, int ranks) {
        return LocalCluster.start(ranks, NexarConfig.defaults().with("nexar.transport", transport));
    }
}
