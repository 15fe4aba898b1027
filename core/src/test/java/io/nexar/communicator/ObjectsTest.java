package io.nexar.communicator;

import static io.nexar.Communicator.ANY_SOURCE;
import static io.nexar.Communicator.ANY_TAG;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.ConfigurationException;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.MismatchException;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.ProtocolException;
import io.nexar.RankTask;
import io.nexar.Scope;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Objects between ranks over each transport. */
@Timeout(60)
class ObjectsTest {
    record Particle(int id, double[] position, List<String> names) {
        static Particle of(int id, int length) {
            double[] position = IntStream.range(id, id + length).asDoubleStream().toArray();
            return new Particle(id, position, List.of("p" + id, "ä".repeat(id)));
        }

        boolean isLike(Particle other) {
            return id == other.id
                    && Arrays.equals(position, other.position)
                    && names.equals(other.names);
        }
    }

    record Other(int id) {}

    @OnEachTransport
    void objectsOfAnySizeArriveWhole(String transport) {
        run(
                transport,
                3,
                world -> {
                    int next = (world.rank() + 1) % 3;
                    int previous = (world.rank() + 2) % 3;
                    for (int length : new int[] {0, 10}) {
                        world.sendObject(Particle.of(world.rank(), length), next, 5);
                        Particle got = world.receiveObject(Particle.class, ANY_SOURCE, 5);
                        assertThat(got.isLike(Particle.of(previous, length))).isTrue();
                    }
                    // Larger than what is sent without its receive: in the order of the ranks.
                    Particle large = Particle.of(world.rank(), 200_000);
                    if (world.rank() == 0) {
                        world.sendObject(large, next, 6);
                    }
                    Particle got = world.receiveObject(Particle.class, previous, ANY_TAG);
                    assertThat(got.isLike(Particle.of(previous, 200_000))).isTrue();
                    if (world.rank() != 0) {
                        world.sendObject(large, next, 6);
                    }
                    world.sendObject("to myself", world.rank(), 7);
                    assertThat(world.receiveObject(String.class, world.rank(), 7))
                            .isEqualTo("to myself");
                });
    }

    @OnEachTransport
    void collectivesOfObjectsGiveEachRanksByRank(String transport) {
        run(
                transport,
                4,
                world -> {
                    Particle own = Particle.of(world.rank(), 100 * world.rank());
                    for (int root = 0; root < 4; root++) {
                        Particle got =
                                world.broadcastObject(
                                        world.rank() == root ? own : null, Particle.class, root);
                        assertThat(got.isLike(Particle.of(root, 100 * root))).isTrue();
                        List<Particle> atRoot = world.gatherObjects(own, Particle.class, root);
                        if (world.rank() == root) {
                            requireAll(atRoot);
                        } else {
                            assertThat(atRoot).isEmpty();
                        }
                    }
                    requireAll(world.allGatherObjects(own, Particle.class));
                    // What the view forces is for other operations.
                    assertThat(
                                    world.withAlgorithm(Algorithm.PAIRWISE)
                                            .allGatherObjects(world.rank(), Integer.class))
                            .containsExactly(0, 1, 2, 3);
                });
    }

    @OnEachTransport
    void whatIsNoSuchObjectIsConsumedAndSaysWhoSentIt(String transport) {
        run(
                transport,
                2,
                world -> {
                    int other = 1 - world.rank();
                    world.sendObject(new Other(3), other, 1);
                    world.send(DataBuffer.of(new byte[] {1, 2, 3}), other, 1);
                    world.sendObject("well", other, 1);
                    assertThatExceptionOfType(ProtocolException.class)
                            .isThrownBy(() -> world.receiveObject(Particle.class, other, 1))
                            .withMessageContaining("receiveObject on world")
                            .withMessageContaining("rank " + other)
                            .withMessageContaining("Other instead of a")
                            .withMessageContaining("Particle")
                            .satisfies(e -> assertThat(e.scope()).isEqualTo(Scope.PEER));
                    assertThatExceptionOfType(ProtocolException.class)
                            .isThrownBy(() -> world.receiveObject(Particle.class, other, 1))
                            .withMessageContaining("3 bytes are no");
                    assertThat(world.receiveObject(String.class, other, 1)).isEqualTo("well");
                    // Of a collective the bytes have come to all: the communicator goes on.
                    if (world.rank() == 0) {
                        world.broadcastObject(new Other(1), Other.class, 0);
                    } else {
                        assertThatExceptionOfType(ProtocolException.class)
                                .isThrownBy(() -> world.broadcastObject(null, Particle.class, 0))
                                .withMessageContaining("broadcastObject on world")
                                .withMessageContaining("rank 0");
                    }
                    assertThat(world.allGatherObjects("x", String.class)).containsExactly("x", "x");
                });
    }

    @Test
    void whatIsTooLargeIsRefusedOnBothSides() {
        NexarConfig config = NexarConfig.defaults().with("nexar.object.bytesMax", "1000");
        try (LocalCluster cluster = LocalCluster.start(2, config)) {
            cluster.run(world -> {
                int other = 1 - world.rank();
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> world.sendObject(new long[200], other, 1))
                        .withMessageContaining("nexar.object.bytesMax is 1000");
                world.send(DataBuffer.of(new byte[1001]), other, 1);
                assertThatExceptionOfType(ProtocolException.class)
                        .isThrownBy(() -> world.receiveObject(long[].class, other, 1))
                        .withMessageContaining("an object of 1001 bytes")
                        .withMessageContaining("nexar.object.bytesMax is 1000");
                // A rank that says that it has more than it may: the collective ends on both.
                Communicator child = world.duplicate();
                if (world.rank() == 0) {
                    sayLength(child, 1L << 60);
                    assertThatExceptionOfType(ProtocolException.class)
                            .isThrownBy(child::barrier)
                            .withMessageContaining("1152921504606846976 bytes");
                } else {
                    assertThatExceptionOfType(ProtocolException.class)
                            .isThrownBy(() -> child.broadcastObject(null, String.class, 0))
                            .withMessageContaining("an object of 1152921504606846976 bytes");
                }
            });
        }
    }

    @OnEachTransport
    void differentCollectivesOfObjectsAreToldApart(String transport) {
        run(
                transport,
                2,
                world -> {
                    assertThatExceptionOfType(MismatchException.class)
                            .isThrownBy(() -> {
                                if (world.rank() == 0) {
                                    world.allGatherObjects("x", String.class);
                                } else {
                                    world.gatherObjects("x", String.class, 1);
                                }
                            })
                            .withMessageContaining("allGatherObjects")
                            .withMessageContaining("gatherObjects");
                });
    }

    @Test
    void aSerializerThatIsNotThereIsNamed() {
        NexarConfig config = NexarConfig.defaults().with("nexar.serializer", "kryo");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> LocalCluster.start(1, config).close())
                .withMessageContaining("nexar.serializer = 'kryo'")
                .withMessageContaining("[records]");
    }

    /** What {@code broadcastObject} begins with, of a root that says what it likes. */
    private static void sayLength(Communicator child, long bytes) throws Exception {
        Field field = NexarCommunicator.class.getDeclaredField("core");
        field.setAccessible(true);
        ViewOptions options = new ViewOptions(Duration.ofSeconds(20), Algorithm.AUTO);
        Collectives collectives = new Collectives((CommunicatorCore) field.get(child), options);
        DataBuffer length = DataBuffer.of(new long[] {bytes});
        collectives.run(collectives.spec().broadcast(length, 0).calledAs("broadcastObject"));
    }

    private static void requireAll(List<Particle> particles) {
        assertThat(particles).hasSize(4);
        for (int rank = 0; rank < 4; rank++) {
            assertThat(particles.get(rank).isLike(Particle.of(rank, 100 * rank))).isTrue();
        }
    }

    private static void run(String transport, int size, RankTask task) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(size, config)) {
            cluster.run(task);
        }
    }
}
