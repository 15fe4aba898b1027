package io.nexar.collective.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Algorithm;

import org.junit.jupiter.api.Test;

import java.util.List;

class PlacementTest {
    @Test
    void equalIfTheSameRanksAreTogetherWhateverTheHostsAreCalled() {
        Placement placement = Placement.of(List.of("b", "a", "b", "c"));
        assertThat(placement).isEqualTo(Placement.of(List.of(7, 3, 7, 0)));
        assertThat(placement).hasSameHashCodeAs(Placement.of(List.of(7, 3, 7, 0)));
        assertThat(placement).isNotEqualTo(Placement.of(List.of("b", "a", "a", "c")));
        assertThat(placement.ranksOn(0)).containsExactly(0, 2);
        assertThat(placement.ranksByHost()).containsExactly(0, 2, 1, 3);
        assertThat(placement.hosts()).isEqualTo(3);
        assertThat(placement.isHostByHost()).isFalse();
        assertThat(placement.hasLevels()).isTrue();
    }

    @Test
    void blocksAreHostByHost() {
        Placement placement = Placement.blocks(7, 3);
        assertThat(placement).isEqualTo(Placement.of(List.of(0, 0, 0, 1, 1, 1, 2)));
        assertThat(placement.isHostByHost()).isTrue();
        assertThat(placement.fewestOnAHost()).isEqualTo(1);
        assertThat(Placement.oneHost(4).hasLevels()).isFalse();
        assertThat(Placement.blocks(4, 1).hasLevels()).isFalse();
    }

    @Test
    void aPlanFindsItsPlacementAndOtherPlansHaveNone() {
        Placement placement = Placement.blocks(4, 2);
        PlanRequest ring = PlanRequest.of(Operation.ALL_REDUCE, Algorithm.RING, 1, 0, placement);
        assertThat(ring).isEqualTo(new PlanRequest(Operation.ALL_REDUCE, Algorithm.RING, 1, 4, 0));
        PlanCatalog catalog = new PlanCatalog();
        Plan two = catalog.plan(hierarchical(placement));
        assertThat(catalog.plan(hierarchical(Placement.blocks(4, 2)))).isSameAs(two);
        assertThat(catalog.plan(hierarchical(Placement.blocks(4, 3)))).isNotSameAs(two);
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new PlanRequest(Operation.BARRIER, Algorithm.HIERARCHICAL, 0, 4, 0))
                .withMessageContaining("placement null");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new PlanRequest(
                                Operation.BARRIER, Algorithm.HIERARCHICAL, 0, 5, 0, placement));
    }

    private static PlanRequest hierarchical(Placement placement) {
        return PlanRequest.of(Operation.ALL_REDUCE, Algorithm.HIERARCHICAL, 3, 0, placement);
    }
}
