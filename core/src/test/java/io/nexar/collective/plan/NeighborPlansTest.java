package io.nexar.collective.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Algorithm;
import io.nexar.Neighborhood;
import io.nexar.collective.plan.check.PlanChecker;
import io.nexar.collective.plan.check.PlanFaultException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The checker proves exchanges on grids and graphs of every kind. */
class NeighborPlansTest {
    private static final PlanCatalog.Entry ENTRY =
            PlanCatalog.entry(Operation.NEIGHBOR_EXCHANGE, Algorithm.DIRECT);

    static Stream<Neighborhood.Cartesian> grids() {
        List<List<Integer>> extents = new ArrayList<>();
        for (int i = 1; i <= 16; i++) {
            extents.add(List.of(i));
        }
        for (int i = 1; i <= 4; i++) {
            for (int j = 1; j <= 4; j++) {
                extents.add(List.of(i, j));
                for (int k = 1; k <= 3; k++) {
                    extents.add(List.of(i, j, k));
                }
            }
        }
        extents.add(List.of(2, 2, 2, 2));
        extents.add(List.of(1, 1, 1, 1, 1));
        extents.add(List.of(32, 32));
        return extents.stream()
                .flatMap(each ->
                        IntStream.range(0, 1 << each.size())
                                .mapToObj(wraps ->
                                        new Neighborhood.Cartesian(
                                                each,
                                                IntStream.range(0, each.size())
                                                        .mapToObj(d -> (wraps >> d & 1) == 1)
                                                        .toList())));
    }

    @ParameterizedTest
    @MethodSource("grids")
    void everyGridIsRightAlsoConfirmed(Neighborhood.Cartesian grid) {
        PlanChecker.check(plans(ENTRY, grid.size(), _ -> grid), OperandOrder.NONE);
        if (grid.size() <= 64) {
            PlanChecker.check(plans(ENTRY.confirmed(), grid.size(), _ -> grid), OperandOrder.NONE);
        }
    }

    /** What goes down arrives from above, also where both are the same rank, or this one. */
    @ParameterizedTest
    @MethodSource("grids")
    void whatGoesDownArrivesFromAbove(Neighborhood.Cartesian grid) {
        List<Plan> plans = plans(ENTRY, grid.size(), _ -> grid);
        for (int rank = 0; rank < grid.size(); rank++) {
            List<Integer> sources = grid.sources(rank);
            for (int place = 0; place < sources.size(); place++) {
                int from = sources.get(place);
                if (from != Neighborhood.NO_NEIGHBOR) {
                    assertThat(plans.get(rank).slotShare(BufferRole.OUTPUT, place))
                            .isEqualTo(plans.get(from).slotShare(BufferRole.INPUT, place ^ 1));
                }
            }
        }
    }

    /** Random graphs, with edges that go one way, come again and lead to their own rank. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void everyGraphIsRight(long randomSeed) {
        Random random = new Random(randomSeed);
        int size = 1 + random.nextInt(16);
        List<Neighborhood.Graph> graphs = graphs(random, size, random.nextInt(60));
        PlanChecker.check(plans(ENTRY, size, graphs::get), OperandOrder.NONE);
        PlanChecker.check(plans(ENTRY.confirmed(), size, graphs::get), OperandOrder.NONE);
    }

    // Planted faults: an edge that one end does not know of, and two places that are taken for
    // each other.
    @Test
    void theCheckerRejectsEdgesThatOneEndDoesNotKnow() {
        List<Neighborhood.Graph> graphs = graphs(new Random(1), 5, 60);
        for (int rank = 0; rank < 5; rank++) {
            Neighborhood.Graph whole = graphs.get(rank);
            int without = rank;
            List<Integer> fewer = new ArrayList<>(whole.sources());
            assertThat(fewer.remove(Integer.valueOf((rank + 1) % 5))).isTrue();
            Neighborhood.Graph broken = Neighborhood.graph(fewer, whole.destinations());
            assertThatExceptionOfType(PlanFaultException.class)
                    .isThrownBy(() ->
                            PlanChecker.check(
                                    plans(ENTRY, 5, r -> r == without ? broken : graphs.get(r)),
                                    OperandOrder.NONE));
        }
        Neighborhood ring = Neighborhood.torus(2);
        Plan first = ENTRY.plan(PlanRequest.among(ring, 0, 2));
        Plan second = ENTRY.plan(PlanRequest.among(ring, 1, 2));
        List<Plan.Step> swapped = new ArrayList<>();
        for (int i = 0; i < second.stepCount(); i++) {
            swapped.add(second.step(i));
        }
        Collections.swap(swapped, 2, 3);
        Plan confused =
                new Plan(
                        second.request(),
                        second.shares(),
                        new int[][] {
                            slots(second, BufferRole.INPUT), slots(second, BufferRole.OUTPUT), {}
                        },
                        swapped,
                        second.rounds());
        assertThatExceptionOfType(PlanFaultException.class)
                .isThrownBy(() -> PlanChecker.check(List.of(first, confused), OperandOrder.NONE))
                .withMessageContaining("receives shares");
    }

    @Test
    void neighborsThatAreNoRanksAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan(Neighborhood.graph(List.of(3), List.of()), 1, 3))
                .withMessageContaining("rank 1 has the neighbour 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan(Neighborhood.graph(List.of(), List.of(-2)), 1, 3))
                .withMessageContaining("the neighbour -2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan(Neighborhood.graph(List.of(1, 1), List.of(1)), 1, 3))
                .withMessageContaining("its own destination 1 times and its own source 2 times");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan(Neighborhood.graph(List.of(1), List.of(1, 1)), 1, 3))
                .withMessageContaining("its own destination 2 times and its own source 1 times");
    }

    /** Each edge is named on both of its ends; places are shuffled, and some are empty. */
    private static List<Neighborhood.Graph> graphs(Random random, int size, int edges) {
        List<List<Integer>> sources = new ArrayList<>();
        List<List<Integer>> destinations = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            sources.add(new ArrayList<>());
            destinations.add(new ArrayList<>());
        }
        for (int edge = 0; edge < edges; edge++) {
            int from = random.nextInt(size);
            int to = random.nextInt(size);
            destinations.get(from).add(to);
            sources.get(to).add(from);
        }
        List<Neighborhood.Graph> graphs = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            Collections.shuffle(destinations.get(rank), random);
            destinations.get(rank).add(Neighborhood.NO_NEIGHBOR);
            sources.get(rank).add(Neighborhood.NO_NEIGHBOR);
            graphs.add(Neighborhood.graph(sources.get(rank), destinations.get(rank)));
        }
        return graphs;
    }

    private static int[] slots(Plan plan, BufferRole buffer) {
        return IntStream.range(0, plan.slots(buffer))
                .map(slot -> plan.slotShare(buffer, slot))
                .toArray();
    }

    private static Plan plan(Neighborhood neighborhood, int rank, int size) {
        return ENTRY.plan(PlanRequest.among(neighborhood, rank, size));
    }

    private static List<Plan> plans(
            PlanCatalog.Entry entry, int size, IntFunction<Neighborhood> neighborhoods) {
        return IntStream.range(0, size)
                .mapToObj(rank ->
                        entry.plan(PlanRequest.among(neighborhoods.apply(rank), rank, size)))
                .toList();
    }
}
