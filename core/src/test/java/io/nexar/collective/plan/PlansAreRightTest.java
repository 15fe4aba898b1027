package io.nexar.collective.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.collective.plan.check.PlanChecker;
import io.nexar.collective.plan.check.PlanSummary;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class PlansAreRightTest {
    private static final int SIZE_MAX = 64;

    /** Up to this size a rooted operation is checked with every root. */
    private static final int EVERY_ROOT_UP_TO = 16;

    static Stream<Arguments> entries() {
        return PlanCatalog.entries().stream()
                .map(entry -> Arguments.of(entry.operation(), entry.algorithm()));
    }

    // Pitfalls 14, 16, 17: in place and not, a world of one, and no rank's input written: the
    // checker
    // runs every plan with both bindings of memory.
    @ParameterizedTest
    @MethodSource("entries")
    void plansAreRightForAllWorldSizes(Operation operation, Algorithm algorithm) {
        PlanCatalog.Entry entry = PlanCatalog.entry(operation, algorithm);
        for (int size = 1; size <= SIZE_MAX; size++) {
            for (int root : roots(operation, size)) {
                PlanSummary summary = PlanChecker.check(entry, size, root);
                assertThat(summary.oneOrder())
                        .as("one order in all shares, %d ranks", size)
                        .isEqualTo(size == 1 || entry.order() != OperandOrder.RING);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("entries")
    void plansDependOnTheRequestOnly(Operation operation, Algorithm algorithm) {
        PlanRequest request = new PlanRequest(operation, algorithm, 3, 7, 0);
        Plan once = PlanCatalog.entry(operation, algorithm).plan(request);
        Plan again = PlanCatalog.entry(operation, algorithm).plan(request);
        assertThat(Faults.steps(again)).isEqualTo(Faults.steps(once));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void receivesAreFoundByPeerAndNumber(Operation operation, Algorithm algorithm) {
        Plan plan =
                PlanCatalog.entry(operation, algorithm)
                        .plan(new PlanRequest(operation, algorithm, 2, 5, 0));
        int[] seen = new int[5];
        for (int i = 0; i < plan.stepCount(); i++) {
            if (plan.step(i).isReceive()) {
                int peer = plan.step(i).peer();
                assertThat(plan.ordinal(i)).isEqualTo(seen[peer]);
                assertThat(plan.receiveStep(peer, seen[peer]++)).isEqualTo(i);
            }
        }
        assertThat(Arrays.stream(seen).sum()).isPositive();
        for (int peer : List.of(-1, 5, Integer.MIN_VALUE, Integer.MAX_VALUE)) {
            assertThat(plan.receiveStep(peer, 0)).isEqualTo(-1);
        }
        for (int ordinal : List.of(-1, seen[1], Integer.MIN_VALUE, Integer.MAX_VALUE)) {
            assertThat(plan.receiveStep(1, ordinal)).isEqualTo(-1);
        }
    }

    private static int[] roots(Operation operation, int size) {
        if (!operation.isRooted()) {
            return new int[] {0};
        }
        return size <= EVERY_ROOT_UP_TO
                ? IntStream.range(0, size).toArray()
                : IntStream.of(0, 1, size / 2, size - 1).toArray();
    }
}
