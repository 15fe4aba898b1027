package io.nexar.collective.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Algorithm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.stream.IntStream;

class PlanCatalogTest {
    private static PlanRequest broadcast(int root) {
        return new PlanRequest(Operation.BROADCAST, Algorithm.BINOMIAL_TREE, 0, 8, root);
    }

    @ParameterizedTest
    @EnumSource
    void everyOperationHasAnAlgorithm(Operation operation) {
        assertThat(PlanCatalog.algorithms(operation)).isNotEmpty().doesNotContain(Algorithm.AUTO);
    }

    @Test
    void anAlgorithmThatAnOperationDoesNotHaveIsRefusedNamingThoseItHas() {
        PlanRequest request = new PlanRequest(Operation.ALL_REDUCE, Algorithm.BRUCK, 0, 4, 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PlanCatalog().plan(request))
                .withMessage(
                        "allReduce has no algorithm BRUCK; it has [DIRECT, RECURSIVE_DOUBLING,"
                                + " HALVING_DOUBLING, REDUCE_SCATTER_ALLGATHER, RING,"
                                + " HIERARCHICAL]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlanCatalog.entry(Operation.BARRIER, Algorithm.AUTO))
                .withMessageContaining("AUTO; it has [DISSEMINATION, HIERARCHICAL]");
    }

    @Test
    void onlyRankOrderedAlgorithmsKeepRankOrder() {
        assertThat(
                        PlanCatalog.entry(Operation.ALL_REDUCE, Algorithm.DIRECT)
                                .keepsRankOrder(Placement.oneHost(4)))
                .isTrue();
        assertThat(
                        PlanCatalog.entry(Operation.ALL_REDUCE, Algorithm.RING)
                                .keepsRankOrder(Placement.oneHost(4)))
                .isFalse();
        assertThat(
                        PlanCatalog.entry(Operation.ALL_GATHER, Algorithm.RING)
                                .keepsRankOrder(Placement.oneHost(4)))
                .isTrue();
    }

    @Test
    void whereOutputLiesApartInputIsSentFromWhereItLies() {
        Plan two = recursiveDoubling(2);
        assertThat(steps(two)).contains(StepKind.COPY);
        assertThat(steps(two.apart()))
                .containsExactly(StepKind.SEND, StepKind.RECEIVE_REDUCE, StepKind.SCALE);
        assertThat(two.apart().step(0).source()).isEqualTo(Range.input(0, 1));
        assertThat(two.apart()).isSameAs(two.apart());
    }

    @Test
    void aPlanWithoutACopyToSpareIsItsOwnForBuffersApart() {
        Plan four = recursiveDoubling(4);
        assertThat(steps(four)).doesNotContain(StepKind.COPY);
        assertThat(four.apart()).isSameAs(four);
    }

    private static Plan recursiveDoubling(int size) {
        return new PlanCatalog()
                .plan(
                        new PlanRequest(
                                Operation.ALL_REDUCE, Algorithm.RECURSIVE_DOUBLING, 0, size, 0));
    }

    private static List<StepKind> steps(Plan plan) {
        return IntStream.range(0, plan.stepCount()).mapToObj(i -> plan.step(i).kind()).toList();
    }

    @Test
    void aPlanIsMadeOnce() {
        PlanCatalog catalog = new PlanCatalog();
        assertThat(catalog.plan(broadcast(3))).isSameAs(catalog.plan(broadcast(3)));
        assertThat(catalog.plan(broadcast(4))).isNotSameAs(catalog.plan(broadcast(3)));
    }

    @Test
    void theOldestPlanIsForgottenWhenTheStoreIsFull() {
        int steps = new PlanCatalog().plan(broadcast(0)).stepCount();
        // Only the root's plan is this long; rank 0 of root 4 has a send and a receive less.
        PlanCatalog catalog = new PlanCatalog(steps);
        Plan first = catalog.plan(broadcast(0));
        assertThat(catalog.plan(broadcast(0))).isSameAs(first);
        Plan second = catalog.plan(broadcast(4));
        assertThat(catalog.plan(broadcast(4))).isSameAs(second);
        assertThat(catalog.plan(broadcast(0))).isNotSameAs(first);
    }

    @Test
    void aPlanBiggerThanTheStoreIsMadeButNotKept() {
        PlanCatalog catalog = new PlanCatalog(0);
        assertThat(catalog.plan(broadcast(0))).isNotSameAs(catalog.plan(broadcast(0)));
        assertThatIllegalArgumentException().isThrownBy(() -> new PlanCatalog(-1));
    }

    @Test
    void manyThreadsGetRightPlansOutOfASmallStore() {
        PlanCatalog catalog = new PlanCatalog(20);
        List<PlanRequest> wrong =
                IntStream.range(0, 20_000)
                        .parallel()
                        .mapToObj(i -> broadcast(i % 8))
                        .filter(request -> !catalog.plan(request).request().equals(request))
                        .toList();
        assertThat(wrong).isEmpty();
    }

    // Pitfall 19: a root outside the world is refused here already.
    @Test
    void impossibleRequestsAreRefused() {
        for (int root : new int[] {-1, 8, Integer.MAX_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> broadcast(root))
                    .withMessageContaining("root " + root);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new PlanRequest(Operation.BARRIER, Algorithm.DISSEMINATION, 0, 2, 1))
                .withMessageContaining("barrier has no root");
    }
}
