package io.nexar.collective.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.collective.plan.check.PlanChecker;
import io.nexar.collective.plan.check.PlanSummary;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class PlansAreRightTest {
    /** Up to this size a rooted operation is checked with every root, in every build. */
    private static final int EVERY_ROOT_UP_TO = 16;

    /** Powers of two and their neighbours, and a prime between. */
    private static final int[] LARGER_SIZES = {17, 23, 31, 32, 33, 63, 64};

    /** With {@code -Dnexar.test.full=true} all sizes up to here, and some of those beyond. */
    private static final int EVERY_SIZE_UP_TO = 64;

    private static final int[] LARGEST_SIZES = {65, 127, 128, 251, 400, 1024};

    /**
     * All ranks' steps together: what is checked in a minute with 1 GiB. Only those algorithms have
     * more with 1,024 ranks that have two messages or more for each pair of ranks.
     */
    private static final long STEPS_MAX = 2_200_000;

    static Stream<Arguments> entries() {
        return PlanCatalog.entries().stream()
                .map(entry -> Arguments.of(entry.operation(), entry.algorithm()));
    }

    // Pitfalls 14, 16, 17, 20: in place and not, a world of one, no rank's input written, operands
    // in the ranks' order: the checker runs every plan with both bindings of memory.
    @ParameterizedTest
    @MethodSource("entries")
    @Timeout(600) // For the full figure; otherwise a second or less.
    void plansAreRightForAllWorldSizes(Operation operation, Algorithm algorithm) {
        PlanCatalog.Entry entry = PlanCatalog.entry(operation, algorithm);
        boolean isFull = Boolean.getBoolean("nexar.test.full");
        IntStream.rangeClosed(1, isFull ? EVERY_SIZE_UP_TO : EVERY_ROOT_UP_TO)
                .forEach(size -> check(entry, size));
        for (int size : isFull ? LARGEST_SIZES : LARGER_SIZES) {
            if (steps(entry, size) <= STEPS_MAX) {
                check(entry, size);
            }
        }
    }

    private static void check(PlanCatalog.Entry entry, int size) {
        for (int root : roots(entry.operation(), size)) {
            for (Placement placement : placements(entry, size)) {
                PlanSummary summary = PlanChecker.check(entry, placement, root);
                assertThat(summary.oneOrder())
                        .as("one order in all shares, %d ranks", size)
                        .isEqualTo(size == 1 || entry.order() != OperandOrder.RING);
            }
        }
    }

    private static List<Placement> placements(PlanCatalog.Entry entry, int size) {
        if (entry.algorithm() != Algorithm.HIERARCHICAL) {
            return List.of(Placement.oneHost(size));
        }
        return size <= EVERY_ROOT_UP_TO
                ? TestPlacements.of(size)
                : List.of(TestPlacements.uneven(size), Placement.blocks(size, 8));
    }

    private static PlanRequest request(
            Operation operation, Algorithm algorithm, int rank, int size) {
        return PlanRequest.of(operation, algorithm, rank, 0, TestPlacements.uneven(size));
    }

    /** Of all ranks together: rank 0 has as many as any, but for roots. */
    private static long steps(PlanCatalog.Entry entry, int size) {
        return (long) size
                * entry.plan(request(entry.operation(), entry.algorithm(), 0, size)).stepCount();
    }

    @ParameterizedTest
    @MethodSource("entries")
    void confirmedPlansAreRightAndOverOnNoRankBeforeAllHaveBegun(
            Operation operation, Algorithm algorithm) {
        PlanCatalog.Entry entry = PlanCatalog.entry(operation, algorithm).confirmed();
        for (int size = 1; size <= EVERY_ROOT_UP_TO + 1; size++) {
            int root = operation.isRooted() ? size / 2 : 0;
            PlanChecker.check(entry, TestPlacements.uneven(size), root);
            Plan plan = entry.plan(request(operation, algorithm, size / 2, size));
            assertThat(plan.isConfirmed()).isEqualTo(size > 1 || operation == Operation.BARRIER);
        }
    }

    @ParameterizedTest
    @MethodSource("entries")
    void aConfirmedPlanMovesTheSameDataAfterTheSameSteps(Operation operation, Algorithm algorithm) {
        PlanCatalog.Entry entry = PlanCatalog.entry(operation, algorithm);
        PlanRequest request = request(operation, algorithm, 3, 7);
        assertThat(dataSteps(entry.confirmed().plan(request)))
                .isEqualTo(dataSteps(entry.plan(request)));
    }

    /** Each step that moves data, with the steps that it waits for. */
    private static List<String> dataSteps(Plan plan) {
        return IntStream.range(0, plan.stepCount())
                .filter(i -> !plan.step(i).isSignal())
                .mapToObj(i ->
                        plan.step(i)
                                + " after "
                                + Arrays.stream(plan.predecessors(i)).mapToObj(plan::step).toList())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("entries")
    void plansDependOnTheRequestOnly(Operation operation, Algorithm algorithm) {
        PlanRequest request = request(operation, algorithm, 3, 7);
        Plan once = PlanCatalog.entry(operation, algorithm).plan(request);
        Plan again = PlanCatalog.entry(operation, algorithm).plan(request);
        assertThat(Faults.steps(again)).isEqualTo(Faults.steps(once));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void receivesAreFoundByPeerAndNumber(Operation operation, Algorithm algorithm) {
        int receives = 0;
        for (int rank = 0; rank < 5; rank++) {
            receives += requireFound(request(operation, algorithm, rank, 5));
        }
        assertThat(receives).isPositive();
    }

    private static int requireFound(PlanRequest request) {
        Plan plan = PlanCatalog.entry(request.operation(), request.algorithm()).plan(request);
        int[] seen = new int[request.size()];
        for (int i = 0; i < plan.stepCount(); i++) {
            if (plan.step(i).isReceive()) {
                int peer = plan.step(i).peer();
                assertThat(plan.ordinal(i)).isEqualTo(seen[peer]);
                assertThat(plan.receiveStep(peer, seen[peer]++)).isEqualTo(i);
            }
        }
        for (int peer : List.of(-1, request.size(), Integer.MIN_VALUE, Integer.MAX_VALUE)) {
            assertThat(plan.receiveStep(peer, 0)).isEqualTo(-1);
        }
        for (int ordinal : List.of(-1, seen[1], Integer.MIN_VALUE, Integer.MAX_VALUE)) {
            assertThat(plan.receiveStep(1, ordinal)).isEqualTo(-1);
        }
        return Arrays.stream(seen).sum();
    }

    private static int[] roots(Operation operation, int size) {
        if (!operation.isRooted()) {
            return new int[] {0};
        }
        return size <= EVERY_ROOT_UP_TO
                ? IntStream.range(0, size).toArray()
                : size <= EVERY_SIZE_UP_TO
                        ? new int[] {0, 1, size / 2, size - 1}
                        : new int[] {size / 2};
    }
}
