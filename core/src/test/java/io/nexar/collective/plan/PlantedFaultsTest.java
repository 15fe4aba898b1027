package io.nexar.collective.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.Algorithm;
import io.nexar.collective.plan.check.PlanChecker;
import io.nexar.collective.plan.check.PlanFaultException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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

    /**
     * What cannot be planted: signals have no ranges, and nothing is combined or scaled where
     * nothing is reduced.
     */
    private static final Map<Operation, Set<Fault>> NO_PLACE =
            Map.of(
                    Operation.BARRIER,
                    Set.of(
                            Fault.SHARE_SHIFTED_BY_ONE,
                            Fault.OPERANDS_SWAPPED,
                            Fault.SCALE_DROPPED,
                            Fault.SCALE_DOUBLED,
                            Fault.ONE_ROUND_TOUCHES_A_RANGE_TWICE,
                            Fault.INPUT_WRITTEN),
                    Operation.BROADCAST,
                    Set.of(Fault.OPERANDS_SWAPPED, Fault.SCALE_DROPPED, Fault.SCALE_DOUBLED),
                    Operation.ALL_GATHER,
                    Set.of(Fault.OPERANDS_SWAPPED, Fault.SCALE_DROPPED, Fault.SCALE_DOUBLED));

    static Stream<Arguments> entriesAndFaults() {
        return PlanCatalog.entries().stream()
                .flatMap(entry ->
                        Stream.of(Fault.values())
                                .map(fault ->
                                        Arguments.of(entry.operation(), entry.algorithm(), fault)));
    }

    @ParameterizedTest
    @MethodSource("entriesAndFaults")
    void theCheckerRejectsEveryPlantedFault(Operation operation, Algorithm algorithm, Fault fault) {
        PlanCatalog.Entry entry = PlanCatalog.entry(operation, algorithm);
        int places = 0;
        Set<String> reasons = new TreeSet<>();
        for (int size : SIZES) {
            if (isHarmless(operation, fault, size)) {
                continue;
            }
            List<Supplier<List<Plan>>> planted = sample(fault.plantIn(plans(entry, size)));
            places += planted.size();
            for (Supplier<List<Plan>> faulty : planted) {
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
        boolean hasPlace = !NO_PLACE.getOrDefault(operation, Set.of()).contains(fault);
        assertThat(places > 0).as("a place for %s in %s", fault, algorithm).isEqualTo(hasPlace);
        assertThat(reasons).allMatch(reason -> isReasonFor(fault, reason));
    }

    /**
     * With other sizes a rank hears of some ranks twice in a barrier, so that the rest still tell
     * it all; with a power of two it hears of each once.
     */
    private static boolean isHarmless(Operation operation, Fault fault, int size) {
        return operation == Operation.BARRIER
                && fault == Fault.DEPENDENCY_MISSING
                && Integer.bitCount(size) != 1;
    }

    /** Where a fault can show in one way only, it must be found as that. */
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

    private static String withoutNumbers(String reason) {
        return reason.replaceAll("\\d+", "#");
    }

    private static List<Plan> plans(PlanCatalog.Entry entry, int size) {
        int root = entry.operation().isRooted() ? size / 2 : 0;
        return IntStream.range(0, size)
                .mapToObj(rank ->
                        entry.plan(
                                new PlanRequest(
                                        entry.operation(), entry.algorithm(), rank, size, root)))
                .toList();
    }

    private static List<Supplier<List<Plan>>> sample(List<Supplier<List<Plan>>> planted) {
        List<Supplier<List<Plan>>> shuffled = new ArrayList<>(planted);
        Collections.shuffle(shuffled, new Random(RANDOM_SEED));
        return shuffled.subList(0, Math.min(PLACES_MAX, shuffled.size()));
    }
}
