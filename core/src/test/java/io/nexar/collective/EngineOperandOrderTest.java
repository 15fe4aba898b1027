package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Holding;
import io.nexar.collective.plan.OperandOrder;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.collective.plan.TestPlacements;
import io.nexar.reduce.Kernel;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.stream.LongStream;

/** In which order, and with which brackets, the engine combines the ranks' parts. */
class EngineOperandOrderTest {
    private static final int[] SIZES = {1, 2, 3, 4, 6, 7, 9};

    /** Two slices and a bit, of pieces of four. */
    private static final int COUNT = 19;

    /** Names stand for what the kernel does, which the engine does not look at. */
    private static final ReduceOp NAMED = ReduceOp.ofLongs("test", (a, b) -> a).nonCommutative();

    /** Text of digits: "12" and "3" give "123", so that any other order shows. */
    private static long concatenated(long left, long right) {
        return left * power(right) + right;
    }

    /** Neither associative nor commutative: equal results mean equal brackets. */
    private static long bracketed(long left, long right) {
        return (left * 0x9E37_79B9_7F4A_7C15L ^ left >>> 29) * 31 + right;
    }

    private static long power(long number) {
        long power = 10;
        while (power <= number) {
            power *= 10;
        }
        return power;
    }

    // Pitfall 20: what does not commute is combined in the ranks' order, in every reduction.
    @Test
    void whatDoesNotCommuteIsCombinedInTheRanksOrder() {
        for (PlanCatalog.Entry entry : PlanCatalog.entries()) {
            if (entry.order() == OperandOrder.RANK || entry.order() == OperandOrder.HOSTS) {
                for (int size : SIZES) {
                    for (int root = 0; root < (entry.operation().isRooted() ? size : 1); root++) {
                        requireRankOrder(entry, size, root);
                    }
                }
            }
        }
    }

    private static void requireRankOrder(PlanCatalog.Entry entry, int size, int root) {
        for (int rank = 0; rank < size; rank++) {
            int operands =
                    switch (entry.operation()) {
                        case SCAN -> rank + 1;
                        case EXCLUSIVE_SCAN -> rank;
                        default -> size;
                    };
            long expected =
                    LongStream.rangeClosed(1, operands)
                            .reduce(EngineOperandOrderTest::concatenated)
                            .orElse(0);
            requireOnly(
                    expected,
                    run(entry, size, root, EngineOperandOrderTest::concatenated).get(rank),
                    "%s rank %d of %d, root %d".formatted(entry, rank, size, root));
        }
    }

    private static void requireOnly(long expected, long[] output, String what) {
        for (long element : output) {
            assertThat(element).as(what).isEqualTo(expected);
        }
    }

    // Pitfall 26: where the choice by size falls on another algorithm of a family, no bit changes.
    @Test
    void algorithmsOfOneFamilyGiveTheSameBits() {
        for (int size : SIZES) {
            requireSameBits(
                    size,
                    PlanCatalog.entry(Operation.ALL_REDUCE, Algorithm.DIRECT),
                    PlanCatalog.entry(Operation.ALL_REDUCE, Algorithm.REDUCE_SCATTER_ALLGATHER),
                    PlanCatalog.entry(Operation.REDUCE, Algorithm.REDUCE_SCATTER_ALLGATHER),
                    PlanCatalog.entry(Operation.REDUCE_SCATTER, Algorithm.DIRECT));
            requireSameBits(
                    size,
                    PlanCatalog.entry(Operation.ALL_REDUCE, Algorithm.RECURSIVE_DOUBLING),
                    PlanCatalog.entry(Operation.ALL_REDUCE, Algorithm.HALVING_DOUBLING),
                    PlanCatalog.entry(Operation.REDUCE, Algorithm.HALVING_DOUBLING),
                    PlanCatalog.entry(Operation.REDUCE_SCATTER, Algorithm.HALVING_DOUBLING));
        }
        for (int size : new int[] {1, 2, 4, 8}) {
            requireSameBits(
                    size,
                    PlanCatalog.entry(Operation.ALL_REDUCE, Algorithm.RECURSIVE_DOUBLING),
                    PlanCatalog.entry(Operation.REDUCE, Algorithm.BINOMIAL_TREE));
        }
    }

    private static void requireSameBits(int size, PlanCatalog.Entry... family) {
        long expected = run(family[0], size, 0, EngineOperandOrderTest::bracketed).getFirst()[0];
        for (PlanCatalog.Entry entry : family) {
            for (int root = 0; root < (entry.operation().isRooted() ? size : 1); root++) {
                for (long[] output : run(entry, size, root, EngineOperandOrderTest::bracketed)) {
                    requireOnly(expected, output, "%s of %d, root %d".formatted(entry, size, root));
                }
            }
        }
    }

    /** Every element of rank r's input is r + 1; returns the outputs. */
    private static List<long[]> run(
            PlanCatalog.Entry entry, int size, int root, LongBinaryOperator operator) {
        SimulatedFabric fabric =
                new SimulatedFabric(size, new EngineSettings(32, 2, 1), size + 100L * root, 0);
        boolean[] over = new boolean[size];
        List<long[]> outputs = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            int place = rank;
            PlanRequest request =
                    PlanRequest.of(
                            entry.operation(),
                            entry.algorithm(),
                            rank,
                            root,
                            TestPlacements.uneven(size));
            long[] input = LongStream.generate(() -> place + 1).limit(COUNT).toArray();
            long[] output = new long[outputLength(request)];
            outputs.add(output);
            CollectiveCall call =
                    new CollectiveCall()
                            .reset(entry.plan(request), 0)
                            .elements(DataType.I64, COUNT)
                            .memory(MemorySegment.ofArray(input), MemorySegment.ofArray(output))
                            .evenShares(COUNT)
                            .reduction(NAMED, kernel(operator));
            fabric.engine(rank).start(call, (ended, failure) -> over[place] = failure == null);
        }
        fabric.runUntil(() -> {
            boolean all = true;
            for (boolean each : over) {
                all &= each;
            }
            return all;
        });
        return outputs;
    }

    private static int outputLength(PlanRequest request) {
        Holding holding = request.operation().output();
        int length = 0;
        for (int share : holding.slotShares(request, request.size())) {
            length += COUNT / request.size() + (share < COUNT % request.size() ? 1 : 0);
        }
        return length;
    }

    private static Kernel kernel(LongBinaryOperator operator) {
        return (left, leftOffset, right, rightOffset, target, targetOffset, items) -> {
            for (long i = 0; i < items; i++) {
                long at = i * Long.BYTES;
                long result =
                        operator.applyAsLong(
                                left.get(ValueLayout.JAVA_LONG_UNALIGNED, leftOffset + at),
                                right.get(ValueLayout.JAVA_LONG_UNALIGNED, rightOffset + at));
                target.set(ValueLayout.JAVA_LONG_UNALIGNED, targetOffset + at, result);
            }
        };
    }
}
