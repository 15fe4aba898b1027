package io.nexar.collective.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.Algorithm;
import io.nexar.collective.plan.check.PlanChecker;
import io.nexar.collective.plan.check.PlanFaultException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tests the checker: it must reject every fault that is planted in a plan which it accepts. */
class PlantedFaultsTest {
    private static final long RANDOM_SEED = 20_261_128;

    /** Plans of 8 ranks have thousands of places for some faults: a sample is enough. */
    private static final int PLACES_MAX = 150;

    /** Powers of two and others, both sides of each. */
    private static final List<Integer> SIZES = List.of(2, 3, 4, 5, 7, 8);

    /** A third of the algorithms, or nearly, have a step of each kind, or a root. */
    private static final int PLANS_MIN = 9;

    /** Signals have no ranges. */
    private static final Set<PlantedFault> NOT_IN_BARRIERS =
            Set.of(
                    Fault.SHARE_SHIFTED_BY_ONE,
                    Fault.ONE_ROUND_TOUCHES_A_RANGE_TWICE,
                    Fault.INPUT_WRITTEN);

    static Stream<PlantedFault> faults() {
        return Stream.of(Fault.values(), PlanFault.values()).flatMap(Stream::of);
    }

    static Stream<Arguments> entriesAndFaults() {
        return PlanCatalog.entries().stream()
                .flatMap(entry ->
                        faults().filter(fault -> isPossible(entry, fault))
                                .map(fault ->
                                        Arguments.of(entry.operation(), entry.algorithm(), fault)));
    }

    /** Whether plans of this kind can have the fault at all. */
    private static boolean isPossible(PlanCatalog.Entry entry, PlantedFault fault) {
        Operation operation = entry.operation();
        if (operation == Operation.BARRIER && NOT_IN_BARRIERS.contains(fault)
                || !operation.isRooted() && fault == PlanFault.PLAN_FOR_ANOTHER_ROOT) {
            return false;
        }
        return SIZES.stream().anyMatch(size -> !fault.plantIn(plans(entry, size)).isEmpty());
    }

    @Test
    void everyFaultHasPlacesInSeveralPlansAndMostHaveInAll() {
        assertThat(faults().count()).isGreaterThanOrEqualTo(12);
        for (PlantedFault fault : faults().toList()) {
            assertThat(PlanCatalog.entries())
                    .filteredOn(entry -> isPossible(entry, fault))
                    .as(fault.name())
                    .hasSizeGreaterThanOrEqualTo(PLANS_MIN);
        }
    }

    @ParameterizedTest
    @MethodSource("entriesAndFaults")
    void theCheckerRejectsEveryPlantedFault(
            Operation operation, Algorithm algorithm, PlantedFault fault) {
        PlanCatalog.Entry entry = PlanCatalog.entry(operation, algorithm);
        Set<String> reasons = new TreeSet<>();
        for (int size : SIZES) {
            if (isHarmless(entry, fault, size)) {
                continue;
            }
            for (Supplier<List<Plan>> faulty : sample(fault.plantIn(plans(entry, size)))) {
                List<Plan> plans = faulty.get();
                assertThatThrownBy(() -> PlanChecker.check(plans, entry.order()))
                        .as("%s by %s, %d ranks, %s", operation, algorithm, size, fault)
                        .isInstanceOfSatisfying(
                                PlanFaultException.class,
                                e -> {
                                    assertThat(e.operation()).isEqualTo(operation);
                                    assertThat(e.algorithm()).isEqualTo(algorithm);
                                    assertThat(e.size()).isEqualTo(size);
                                    reasons.add(withoutNumbers(e.fault()));
                                });
            }
        }
        assertThat(reasons).allMatch(reason -> isReasonFor(fault, reason));
    }

    /**
     * With other sizes a rank hears of some ranks twice in a barrier, so that the rest still tell
     * it all; with a power of two it hears of each once. With levels it hears of its host's ranks
     * there, and once more from its leader.
     */
    private static boolean isHarmless(PlanCatalog.Entry entry, PlantedFault fault, int size) {
        return entry.operation() == Operation.BARRIER
                && fault == Fault.DEPENDENCY_MISSING
                && (Integer.bitCount(size) != 1 || entry.algorithm() == Algorithm.HIERARCHICAL);
    }

    /** Where a fault can show in one way only, it must be found as that. */
    private static boolean isReasonFor(PlantedFault fault, String reason) {
        return switch (fault) {
            case Fault known -> isReasonFor(known, reason);
            case PlanFault known -> isReasonFor(known, reason);
            default -> throw new IllegalArgumentException(fault.name());
        };
    }

    private static boolean isReasonFor(Fault fault, String reason) {
        return switch (fault) {
            case OPERANDS_SWAPPED -> reason.contains(" order");
            case SCALE_DROPPED -> reason.contains("instead of each rank once, scaled");
            case SCALE_DOUBLED -> reason.equals("scales what was scaled already");
            case ONE_ROUND_TOUCHES_A_RANGE_TWICE -> reason.contains("of the same round touches");
            case DEPENDENCY_MISSING ->
                    reason.contains("does not wait for it")
                            || reason.contains("leaves without having heard of");
            case INPUT_WRITTEN ->
                    reason.equals("INPUT is written") || reason.contains("reaches out");
            case SENT_TO_WRONG_PEER ->
                    reason.contains("does not receive it")
                            || reason.contains("does not send it")
                            || reason.contains("sends");
            case SHARE_SHIFTED_BY_ONE, STEP_DROPPED, RECEIVES_CROSSED -> !reason.isEmpty();
        };
    }

    private static boolean isReasonFor(PlanFault fault, String reason) {
        return switch (fault) {
            case ROUND_TOO_MANY -> reason.contains("rounds, but");
            case PLAN_OF_THE_NEIGHBOUR, PLAN_FOR_ANOTHER_ROOT -> reason.contains("the plan is for");
            case SENT_A_ROUND_LATE -> reason.contains("sends");
            case OPERAND_OVERWRITTEN -> reason.contains("instead of");
            case OPERAND_TOO_MANY, SCRATCH_LAID_OUT_OTHERWISE -> !reason.isEmpty();
        };
    }

    private static String withoutNumbers(String reason) {
        return reason.replaceAll("\\d+", "#");
    }

    private static List<Plan> plans(PlanCatalog.Entry entry, int size) {
        int root = entry.operation().isRooted() ? size / 2 : 0;
        return IntStream.range(0, size)
                .mapToObj(rank ->
                        entry.plan(
                                PlanRequest.of(
                                        entry.operation(),
                                        entry.algorithm(),
                                        rank,
                                        root,
                                        TestPlacements.uneven(size))))
                .toList();
    }

    private static List<Supplier<List<Plan>>> sample(List<Supplier<List<Plan>>> planted) {
        List<Supplier<List<Plan>>> shuffled = new ArrayList<>(planted);
        Collections.shuffle(shuffled, new Random(RANDOM_SEED));
        return shuffled.subList(0, Math.min(PLACES_MAX, shuffled.size()));
    }
}
