package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.Algorithm;
import io.nexar.collective.plan.OperandOrder;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class AlgorithmChoiceTest {
    private final AlgorithmChoice choice = new AlgorithmChoice(false);
    private final AlgorithmChoice deterministic = new AlgorithmChoice(true);

    private static AlgorithmPolicy.Question ask(Operation operation, long items, int size) {
        return new AlgorithmPolicy.Question(operation, items, items * 4, size, false);
    }

    @Test
    void longerMessagesTakeAlgorithmsThatSendFewerBytes() {
        assertThat(choose(1, 8)).isEqualTo(Algorithm.DIRECT);
        assertThat(choose(256, 8)).isEqualTo(Algorithm.DIRECT);
        assertThat(choose(256, 9)).isEqualTo(Algorithm.RECURSIVE_DOUBLING);
        assertThat(choose(257, 8)).isEqualTo(Algorithm.RECURSIVE_DOUBLING);
        assertThat(choose(16 * 1024, 8)).isEqualTo(Algorithm.RECURSIVE_DOUBLING);
        assertThat(choose(16 * 1024 + 1, 8)).isEqualTo(Algorithm.RING);
    }

    private Algorithm choose(long items, int size) {
        return choice.choose(Algorithm.AUTO, ask(Operation.ALL_REDUCE, items, size));
    }

    @Test
    void noRingHasEmptyShares() {
        assertThat(choose(16 * 1024 + 1, 16 * 1024 + 2)).isEqualTo(Algorithm.RECURSIVE_DOUBLING);
    }

    @Test
    void everyChoiceIsInTheCatalog() {
        for (Operation operation : Operation.values()) {
            for (int size = 1; size <= 64; size *= 2) {
                for (long items = 0; items < 1 << 20; items = 3 * items + 1) {
                    AlgorithmPolicy.Question question = ask(operation, items, size);
                    Algorithm algorithm = choice.choose(Algorithm.AUTO, question);
                    assertThat(PlanCatalog.algorithms(operation)).contains(algorithm);
                }
            }
        }
    }

    @Test
    void deterministicModeKnowsNoLength() {
        for (long items = 0; items < 1 << 20; items = 3 * items + 1) {
            assertThat(deterministic.choose(Algorithm.AUTO, ask(Operation.ALL_REDUCE, items, 4)))
                    .isEqualTo(Algorithm.RECURSIVE_DOUBLING);
        }
        assertThat(deterministic.choose(Algorithm.AUTO, ask(Operation.ALL_GATHER, 9, 4)))
                .isEqualTo(Algorithm.BRUCK);
    }

    @Test
    void deterministicModeHasOneAlgorithmThatKeepsTheOrderForEveryReduction() {
        for (Operation operation : Operation.values()) {
            if (operation.isReducing()) {
                Algorithm small = deterministic.choose(Algorithm.AUTO, ask(operation, 1, 4));
                Algorithm large = deterministic.choose(Algorithm.AUTO, ask(operation, 1 << 24, 4));
                assertThat(large).as(operation.methodName()).isEqualTo(small);
                assertThat(PlanCatalog.entry(operation, small).order())
                        .isEqualTo(OperandOrder.RANK);
            }
        }
    }

    @Test
    void operationsThatDoNotCommuteHaveAnAlgorithmForEveryLength() {
        for (Operation operation : Operation.values()) {
            for (long items = 0; items < 1 << 24; items = 3 * items + 1) {
                AlgorithmPolicy.Question question =
                        new AlgorithmPolicy.Question(operation, items, items * 4, 5, true);
                Algorithm algorithm = choice.choose(Algorithm.AUTO, question);
                assertThat(PlanCatalog.entry(operation, algorithm).keepsRankOrder()).isTrue();
            }
        }
    }

    @Test
    void aForcedAlgorithmIsTakenOrRefused() {
        assertThat(choice.choose(Algorithm.RING, ask(Operation.ALL_REDUCE, 1, 8)))
                .isEqualTo(Algorithm.RING);
        assertThatThrownBy(() -> choice.choose(Algorithm.BRUCK, ask(Operation.ALL_REDUCE, 1, 8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BRUCK")
                .hasMessageContaining("allReduce");
    }

    @Test
    void anOperationThatNeedsTheRanksOrderNeverGoesRoundARing() {
        AlgorithmPolicy.Question question =
                new AlgorithmPolicy.Question(Operation.ALL_REDUCE, 1 << 20, 1 << 23, 4, true);
        assertThat(choice.choose(Algorithm.AUTO, question)).isEqualTo(Algorithm.RECURSIVE_DOUBLING);
        assertThatThrownBy(() -> choice.choose(Algorithm.RING, question))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("order");
    }

    @Test
    void aPolicyCanTakeTheTablesPlace() {
        List<AlgorithmPolicy.Question> asked = new ArrayList<>();
        AlgorithmChoice own =
                new AlgorithmChoice(
                        false,
                        question -> {
                            asked.add(question);
                            return Algorithm.RING;
                        });
        AlgorithmPolicy.Question question = ask(Operation.ALL_REDUCE, 1, 2);
        assertThat(own.choose(Algorithm.AUTO, question)).isEqualTo(Algorithm.RING);
        assertThat(asked).containsExactly(question);
    }
}
