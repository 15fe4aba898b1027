package io.nexar;

import static io.nexar.Neighborhood.NO_NEIGHBOR;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

import java.util.List;

class NeighborhoodTest {

    @Test
    void aGridEndsAtItsEdges() {
        Neighborhood.Cartesian grid = Neighborhood.grid(2, 3);
        assertThat(grid.size()).isEqualTo(6);
        assertThat(grid.coordinates(4)).containsExactly(1, 1);
        assertThat(grid.destinations(4)).containsExactly(1, NO_NEIGHBOR, 3, 5);
        assertThat(grid.sources(0)).containsExactly(NO_NEIGHBOR, 3, NO_NEIGHBOR, 1);
    }

    @Test
    void aTorusWrapsAround() {
        Neighborhood.Cartesian torus = Neighborhood.torus(2, 3);
        assertThat(torus.destinations(0)).containsExactly(3, 3, 2, 1);
        assertThat(torus.rankAt(-1, 3)).isEqualTo(3);
    }

    @Test
    void whatGoesDownComesFromAbove() {
        Neighborhood.Cartesian mixed =
                new Neighborhood.Cartesian(List.of(3, 1, 4), List.of(true, false, true));
        for (int rank = 0; rank < mixed.size(); rank++) {
            assertThat(mixed.rankAt(mixed.coordinates(rank))).isEqualTo(rank);
            List<Integer> destinations = mixed.destinations(rank);
            for (int place = 0; place < destinations.size(); place++) {
                int neighbor = destinations.get(place);
                if (neighbor != NO_NEIGHBOR) {
                    assertThat(mixed.sources(neighbor).get(place ^ 1)).isEqualTo(rank);
                }
            }
        }
    }

    @Test
    void impossibleGridsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(Neighborhood::grid);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Neighborhood.grid(2, 0))
                .withMessageContaining("[2, 0]");
        assertThatIllegalArgumentException().isThrownBy(() -> Neighborhood.grid(1 << 16, 1 << 16));
        assertThatIllegalArgumentException().isThrownBy(() -> Neighborhood.grid(2).coordinates(2));
        assertThatIllegalArgumentException().isThrownBy(() -> Neighborhood.grid(2).rankAt(0, 0));
    }

    @Test
    void aGraphIsWhatThisRankSays() {
        Neighborhood.Graph graph = Neighborhood.graph(List.of(1, 1), List.of(2));
        assertThat(graph.sources(0)).containsExactly(1, 1);
        assertThat(graph.destinations(0)).containsExactly(2);
    }
}
