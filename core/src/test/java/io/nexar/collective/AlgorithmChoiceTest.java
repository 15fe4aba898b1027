package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.Algorithm;
import io.nexar.collective.plan.OperandOrder;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.TestPlacements;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.LinkClass;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class AlgorithmChoiceTest {
    private static final EngineSettings SETTINGS = new EngineSettings(64 << 10, 4, 16);

    private static CostPolicy policy(LinkClass inHost) {
        return new CostPolicy(CostModel.DEFAULT, inHost, EngineRules.everywhere(SETTINGS));
    }

    private static AlgorithmChoice among(Placement placement) {
        return new AlgorithmChoice(policy(LinkClass.HOST), false, placement);
    }

    private static AlgorithmChoice deterministic(int size) {
        return new AlgorithmChoice(policy(LinkClass.HOST), true, Placement.oneHost(size));
    }

    private static Algorithm auto(AlgorithmChoice choice, Operation operation, long bytes) {
        return choice.choose(Algorithm.AUTO, operation, bytes, false);
    }

    @Test
    void shortVectorsTakeFewRoundsAndLongOnesFewBytes() {
        AlgorithmChoice choice = among(Placement.oneHost(8));
        assertThat(auto(choice, Operation.ALL_REDUCE, 8))
                .isIn(Algorithm.DIRECT, Algorithm.RECURSIVE_DOUBLING);
        assertThat(auto(choice, Operation.ALL_REDUCE, 64 << 20))
                .isIn(
                        Algorithm.RING,
                        Algorithm.HALVING_DOUBLING,
                        Algorithm.REDUCE_SCATTER_ALLGATHER);
        assertThat(auto(among(Placement.oneHost(64)), Operation.BROADCAST, 8))
                .isEqualTo(Algorithm.BINOMIAL_TREE);
        assertThat(auto(among(Placement.oneHost(64)), Operation.ALL_TO_ALL, 64 * 64))
                .isEqualTo(Algorithm.BRUCK);
    }

    @Test
    void betweenHostsWithManyRanksTheHierarchicalFormIsTaken() {
        AlgorithmChoice choice = among(TestPlacements.dealt(64, 8));
        assertThat(auto(choice, Operation.ALL_REDUCE, 4 << 20)).isEqualTo(Algorithm.HIERARCHICAL);
        AlgorithmChoice ofJvms =
                new AlgorithmChoice(policy(LinkClass.JVM), false, Placement.blocks(64, 8));
        assertThat(auto(ofJvms, Operation.BARRIER, 0)).isEqualTo(Algorithm.HIERARCHICAL);
    }

    @Test
    void whereThereAreNoLevelsTheHierarchicalFormIsNotTaken() {
        for (int ranksOnHost : new int[] {1, 8}) {
            AlgorithmChoice choice = among(Placement.blocks(8, ranksOnHost));
            for (Operation operation : Operation.values()) {
                for (long bytes = 0; bytes < 1L << 32; bytes = 3 * bytes + 1) {
                    assertThat(auto(choice, operation, bytes)).isNotEqualTo(Algorithm.HIERARCHICAL);
                }
            }
        }
    }

    @Test
    void everyChoiceIsInTheCatalogAndTheSameOnEveryRank() {
        for (int size : new int[] {1, 2, 3, 7, 16, 33, 64, 1000}) {
            for (Operation operation : Operation.values()) {
                Placement placement = TestPlacements.uneven(size);
                AlgorithmChoice mine = among(placement);
                AlgorithmChoice other = among(TestPlacements.uneven(size));
                for (long bytes = 0; bytes < 1L << 40; bytes = 9 * bytes + 1) {
                    Algorithm algorithm = auto(mine, operation, bytes);
                    assertThat(PlanCatalog.algorithms(operation)).contains(algorithm);
                    assertThat(auto(other, operation, bytes)).isEqualTo(algorithm);
                }
            }
        }
    }

    @Test
    void aPolicyIsAskedOnceForAnOperationAndASizeClass() {
        List<Long> asked = new ArrayList<>();
        AlgorithmChoice choice =
                new AlgorithmChoice(
                        (operation, bytes, placement, needsOrder) -> {
                            asked.add(bytes);
                            return Algorithm.RING;
                        },
                        false,
                        Placement.oneHost(4));
        for (long bytes = 0; bytes <= 16; bytes++) {
            auto(choice, Operation.ALL_REDUCE, bytes);
        }
        assertThat(asked).containsExactly(0L, 1L, 3L, 6L, 12L, 24L);
        auto(choice, Operation.ALL_GATHER, 8);
        choice.choose(Algorithm.AUTO, Operation.ALL_REDUCE, 8, true);
        assertThat(asked).hasSize(8);
        assertThat(auto(choice, Operation.ALL_REDUCE, Long.MAX_VALUE)).isEqualTo(Algorithm.RING);
    }

    // Pitfall 26: the algorithm, and with it the order of a sum, does not depend on the length.
    @Test
    void deterministicModeHasOneAlgorithmThatKeepsTheOrderForEveryReduction() {
        for (Operation operation : Operation.values()) {
            if (operation.isReducing()) {
                Algorithm small = auto(deterministic(4), operation, 1);
                assertThat(PlanCatalog.entry(operation, small).order())
                        .isEqualTo(OperandOrder.RANK);
                for (long bytes = 0; bytes < 1L << 40; bytes = 3 * bytes + 1) {
                    assertThat(auto(deterministic(4), operation, bytes)).isEqualTo(small);
                }
            }
        }
        assertThat(auto(deterministic(64), Operation.ALL_GATHER, 9))
                .isEqualTo(auto(among(Placement.oneHost(64)), Operation.ALL_GATHER, 9));
    }

    // Pitfall 20: an operation that does not commute is combined in the ranks' order.
    @Test
    void operationsThatDoNotCommuteHaveAnAlgorithmForEveryLengthAndPlacement() {
        for (Placement placement : TestPlacements.of(12)) {
            AlgorithmChoice choice = among(placement);
            for (Operation operation : Operation.values()) {
                for (long bytes = 0; bytes < 1 << 28; bytes = 3 * bytes + 1) {
                    Algorithm algorithm = choice.choose(Algorithm.AUTO, operation, bytes, true);
                    assertThat(PlanCatalog.entry(operation, algorithm).keepsRankOrder(placement))
                            .isTrue();
                }
            }
        }
    }

    @Test
    void aForcedAlgorithmIsTakenOrRefused() {
        AlgorithmChoice choice = among(Placement.oneHost(8));
        assertThat(choice.choose(Algorithm.RING, Operation.ALL_REDUCE, 1, false))
                .isEqualTo(Algorithm.RING);
        assertThatThrownBy(() -> choice.choose(Algorithm.BRUCK, Operation.ALL_REDUCE, 1, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BRUCK")
                .hasMessageContaining("allReduce");
    }

    @Test
    void aForcedAlgorithmThatBreaksTheRanksOrderIsRefusedWhereItIsNeeded() {
        requireRefused(among(Placement.oneHost(4)), Algorithm.RING);
        requireRefused(among(TestPlacements.dealt(4, 2)), Algorithm.HIERARCHICAL);
        assertThat(
                        among(Placement.blocks(4, 2))
                                .choose(Algorithm.HIERARCHICAL, Operation.ALL_REDUCE, 1, true))
                .isEqualTo(Algorithm.HIERARCHICAL);
    }

    private static void requireRefused(AlgorithmChoice choice, Algorithm algorithm) {
        assertThatThrownBy(() -> choice.choose(algorithm, Operation.ALL_REDUCE, 1, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(algorithm.name())
                .hasMessageContaining("order");
    }
}
