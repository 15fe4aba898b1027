package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.MismatchException;
import io.nexar.Neighborhood;
import io.nexar.NexarConfig;
import io.nexar.NexarException;
import io.nexar.OnEachTransport;
import io.nexar.PreparedCollective;
import io.nexar.RankTask;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Exchanges with neighbours over each transport, against what the definition says. */
@Timeout(60)
class NeighborsTest {
    /** A part of nothing, of one, of a piece, and of several pieces of 64 KiB. */
    private static final int[] COUNTS = {0, 1, 5, 8_192, 20_011};

    private static final List<Neighborhood.Cartesian> GRIDS =
            List.of(
                    Neighborhood.grid(6),
                    Neighborhood.torus(6),
                    Neighborhood.grid(2, 3),
                    Neighborhood.torus(2, 3),
                    Neighborhood.torus(6, 1),
                    Neighborhood.grid(1, 6),
                    Neighborhood.torus(1, 2, 3),
                    new Neighborhood.Cartesian(List.of(3, 2), List.of(true, false)));

    @OnEachTransport
    void everyNeighbourGetsItsPartAndEmptyPlacesStayAsTheyAre(String transport) {
        run(
                transport,
                6,
                world -> {
                    for (Neighborhood.Cartesian grid : GRIDS) {
                        for (int count : COUNTS) {
                            requireHalo(world, grid, count);
                        }
                    }
                });
    }

    /** Value: who sends, at which place, which element. */
    private static double value(int rank, int place, int index) {
        return rank * 1e8 + place * 1e6 + index;
    }

    private static void requireHalo(Communicator world, Neighborhood.Cartesian grid, int count) {
        List<Integer> neighbors = grid.destinations(world.rank());
        int places = neighbors.size();
        double[] send = new double[places * count];
        for (int i = 0; i < send.length; i++) {
            send[i] = value(world.rank(), i / count, i % count);
        }
        double[] receive = new double[places * count];
        Arrays.fill(receive, -1);
        DataBuffer out = DataBuffer.of(send);
        DataBuffer in = DataBuffer.of(receive);
        switch (count % 3) {
            case 0 -> world.neighborExchange(out, in, grid);
            case 1 -> world.async().neighborExchange(out, in, grid).await();
            default -> {
                PreparedCollective prepared = world.prepare().neighborExchange(out, in, grid);
                prepared.run();
                prepared.start().await();
            }
        }
        for (int place = 0; place < places; place++) {
            int from = neighbors.get(place);
            for (int i = 0; i < count; i++) {
                // What goes down a dimension arrives from above.
                double expected = from < 0 ? -1 : value(from, place ^ 1, i);
                if (receive[place * count + i] != expected) {
                    throw new AssertionError(
                            "%s, rank %d, place %d, element %d of %d: %s instead of %s"
                                    .formatted(
                                            grid,
                                            world.rank(),
                                            place,
                                            i,
                                            count,
                                            receive[place * count + i],
                                            expected));
                }
            }
        }
    }

    /** Random graphs with a buffer for each place, of any size and on the heap or not. */
    @OnEachTransport
    void graphsOfAnyKindExchangeBuffersOfAnySize(String transport) {
        int size = 5;
        run(
                transport,
                size,
                world -> {
                    for (long randomSeed = 0; randomSeed < 60; randomSeed++) {
                        List<Edge> edges = edges(new Random(randomSeed), size);
                        List<DataBuffer> out = new ArrayList<>();
                        List<DataBuffer> in = new ArrayList<>();
                        List<Integer> sources = new ArrayList<>();
                        List<Integer> destinations = new ArrayList<>();
                        for (Edge edge : edges) {
                            if (edge.from == world.rank()) {
                                out.add(edge.buffer(true));
                                destinations.add(edge.to);
                            }
                            if (edge.to == world.rank()) {
                                in.add(edge.buffer(false));
                                sources.add(edge.from);
                            }
                        }
                        world.neighborExchange(out, in, Neighborhood.graph(sources, destinations));
                        int next = 0;
                        for (Edge edge : edges) {
                            if (edge.to == world.rank()) {
                                assertThat(
                                                in.get(next++)
                                                        .segment()
                                                        .mismatch(edge.buffer(true).segment()))
                                        .as("seed %d, %s", randomSeed, edge)
                                        .isEqualTo(-1);
                            }
                        }
                    }
                });
    }

    private record Edge(int from, int to, int number, int count) {
        DataBuffer buffer(boolean isFilled) {
            int[] values = new int[count];
            for (int i = 0; isFilled && i < count; i++) {
                values[i] = number * 100_003 + i;
            }
            if (number % 2 == 0) {
                return DataBuffer.of(values);
            }
            DataBuffer outside = DataBuffer.allocate(DataType.I32, count);
            outside.segment().copyFrom(DataBuffer.of(values).segment());
            return outside;
        }
    }

    private static List<Edge> edges(Random random, int size) {
        List<Edge> edges = new ArrayList<>();
        int many = random.nextInt(25);
        for (int number = 0; number < many; number++) {
            int count = random.nextInt(10) == 0 ? random.nextInt(50_000) : random.nextInt(50);
            edges.add(new Edge(random.nextInt(size), random.nextInt(size), number, count));
        }
        return edges;
    }

    @OnEachTransport
    void whatNeighboursDoNotAgreeOnIsAMismatch(String transport) {
        run(
                transport,
                3,
                world -> {
                    int other = 1 - world.rank();
                    // Rank 0 sends three elements and rank 1 expects four.
                    requireMismatch(
                            world,
                            child -> {
                                if (child.rank() < 2) {
                                    Neighborhood pair =
                                            Neighborhood.graph(List.of(other), List.of(other));
                                    child.neighborExchange(
                                            List.of(DataBuffer.of(new int[3])),
                                            List.of(DataBuffer.of(new int[3 + child.rank()])),
                                            pair);
                                } else {
                                    nothing(child);
                                }
                            },
                            "3 for rank 1");
                    // Rank 1 waits for rank 0, which knows of no edge.
                    requireMismatch(
                            world,
                            child -> {
                                if (child.rank() == 1) {
                                    child.neighborExchange(
                                            List.of(),
                                            List.of(DataBuffer.of(new int[3])),
                                            Neighborhood.graph(List.of(0), List.of()));
                                } else {
                                    nothing(child);
                                }
                            },
                            "nothing for rank 1");
                    // Rank 0 sends what rank 1 does not expect, of another type than a third.
                    requireMismatch(
                            world,
                            child -> {
                                if (child.rank() == 0) {
                                    child.neighborExchange(
                                            List.of(DataBuffer.of(new double[3])),
                                            List.of(),
                                            Neighborhood.graph(List.of(), List.of(1)));
                                } else {
                                    nothing(child);
                                }
                            },
                            "3 for rank 1");
                    // The same number of elements of another type.
                    requireMismatch(
                            world,
                            child -> {
                                DataType type = child.rank() == 0 ? DataType.I32 : DataType.F32;
                                child.neighborExchange(
                                        DataBuffer.allocate(type, 2),
                                        DataBuffer.allocate(type, 2),
                                        Neighborhood.torus(3));
                            },
                            "I32");
                    // Another grid of the same ranks.
                    requireMismatch(
                            world,
                            child ->
                                    child.neighborExchange(
                                            DataBuffer.allocate(DataType.I32, 4),
                                            DataBuffer.allocate(DataType.I32, 4),
                                            child.rank() == 2
                                                    ? Neighborhood.grid(3, 1)
                                                    : Neighborhood.grid(1, 3)),
                            "neighborExchange");
                    nothing(world);
                });
    }

    private static void nothing(Communicator world) {
        world.neighborExchange(List.of(), List.of(), Neighborhood.graph(List.of(), List.of()));
    }

    /**
     * On a child of its own, where ranks 0 and 1 learn of it at this call or at the next. Rank 2,
     * which has no part in it, may.
     */
    private static void requireMismatch(Communicator world, RankTask call, String text) {
        Communicator child = world.duplicate();
        RankTask calls =
                each -> {
                    call.run(each);
                    each.barrier();
                    each.close();
                };
        Communicator bounded = child.withTimeout(Duration.ofSeconds(20));
        if (world.rank() < 2) {
            assertThatExceptionOfType(MismatchException.class)
                    .isThrownBy(() -> calls.run(bounded))
                    .withMessageContaining("neighborExchange")
                    .withMessageContaining(text);
        } else {
            try {
                calls.run(bounded);
            } catch (Exception mayBe) {
                assertThat(mayBe).isInstanceOf(NexarException.class);
            }
        }
        world.barrier();
        child.close();
    }

    @ParameterizedTest
    @ValueSource(strings = "local")
    void whatCantBeIsRefusedBeforeAByteMoves(String transport) {
        run(
                transport,
                2,
                world -> {
                    DataBuffer two = DataBuffer.of(new int[2]);
                    DataBuffer four = DataBuffer.of(new int[4]);
                    Neighborhood ring = Neighborhood.torus(2);
                    requireRefused(
                            () -> world.neighborExchange(two, two.slice(0, 2), ring), "overlap");
                    requireRefused(
                            () -> world.neighborExchange(two, four, ring),
                            "send buffer of 2 and receive buffer of 4 elements");
                    requireRefused(
                            () -> world.neighborExchange(two, four, Neighborhood.torus(3)),
                            "a grid of [3], which is 3 ranks; this communicator has 2");
                    requireRefused(
                            () -> world.neighborExchange(two, DataBuffer.of(new float[2]), ring),
                            "one type");
                    requireRefused(
                            () -> world.neighborExchange(List.of(two), List.of(four), ring),
                            "1 buffers to send; the neighbourhood has 2 places");
                    requireRefused(
                            () ->
                                    world.neighborExchange(
                                            List.of(two, two),
                                            List.of(four, four.slice(1, 2)),
                                            ring),
                            "overlap");
                    requireRefused(
                            () ->
                                    world.neighborExchange(
                                            List.of(two),
                                            List.of(),
                                            Neighborhood.graph(List.of(), List.of(7))),
                            "the neighbour 7");
                    requireRefused(
                            () ->
                                    world.neighborExchange(
                                            List.of(two),
                                            List.of(four),
                                            Neighborhood.graph(
                                                    List.of(world.rank()), List.of(world.rank()))),
                            "2 elements for this rank");
                    requireRefused(
                            () ->
                                    world.withAlgorithm(Algorithm.RING)
                                            .neighborExchange(two, DataBuffer.of(new int[2]), ring),
                            "neighborExchange has no algorithm RING; it has [DIRECT]");
                    // The same memory may go to two neighbours.
                    world.neighborExchange(
                            List.of(two, two),
                            List.of(DataBuffer.of(new int[2]), DataBuffer.of(new int[2])),
                            ring);
                });
    }

    private static void requireRefused(Runnable call, String reason) {
        assertThatIllegalArgumentException().isThrownBy(call::run).withMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = "local")
    void confirmedExchangesGoTheSameWay(String transport) {
        NexarConfig config = NexarConfig.defaults().with("nexar.check", "full");
        try (LocalCluster cluster = LocalCluster.start(6, config)) {
            cluster.run(world -> {
                for (Neighborhood.Cartesian grid : GRIDS) {
                    requireHalo(world, grid, 20_011);
                }
                // An edge that one end does not know of: it sees that before its call returns.
                requireMismatch(
                        world,
                        child -> {
                            if (child.rank() == 0) {
                                child.neighborExchange(
                                        List.of(DataBuffer.of(new int[0])),
                                        List.of(),
                                        Neighborhood.graph(List.of(), List.of(1)));
                            } else {
                                nothing(child);
                            }
                            assertThat(child.rank()).as("who returns").isNotEqualTo(1);
                        },
                        "0 for rank 1");
            });
        }
    }

    private static void run(String transport, int size, RankTask task) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(size, config)) {
            cluster.run(task);
        }
    }
}
