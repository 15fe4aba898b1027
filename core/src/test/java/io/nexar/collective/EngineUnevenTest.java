package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.collective.TestCollective.Shape;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Shares of any length, bound at the call: primes, zeros, one rank that has everything. */
class EngineUnevenTest {
    private static final int[] SIZES = {1, 2, 3, 4, 5, 7, 8};

    /** None, one, a piece of four, and more than one slice. */
    private static final long[] LENGTHS = {0, 0, 1, 2, 3, 4, 5, 7, 11, 13, 37};

    private static final ReduceOp[] OPS = {ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG};

    /** How many different sets of shares each plan runs with. */
    private static final int DRAWS = Boolean.getBoolean("nexar.test.full") ? 200 : 4;

    // Pitfall 13: shares that differ, and add up to anything.
    @Test
    void everyPlanWithSharesOfItsRanksTakesThemUnevenWithTheSmallestCredit() {
        long seed = 0;
        for (PlanCatalog.Entry entry : PlanCatalog.entries()) {
            if (hasUnevenForm(entry)) {
                for (int size : SIZES) {
                    for (int draw = 0; draw < DRAWS; draw++) {
                        run(entry, size, ++seed);
                    }
                }
            }
        }
        assertThat(seed).isPositive();
    }

    private static boolean hasUnevenForm(PlanCatalog.Entry entry) {
        return entry.operation().isShared()
                || entry.operation() == Operation.ALL_TO_ALL
                        && entry.algorithm() != Algorithm.BRUCK;
    }

    private static void run(PlanCatalog.Entry entry, int size, long seed) {
        Random random = new Random(seed);
        long[] shares = new long[TestLayout.shares(entry.operation(), size)];
        Arrays.setAll(shares, share -> LENGTHS[random.nextInt(LENGTHS.length)]);
        if (random.nextInt(4) == 0) {
            // One has all.
            Arrays.fill(shares, 0);
            shares[random.nextInt(shares.length)] = 101;
        }
        Shape shape =
                new Shape(
                        entry,
                        size,
                        entry.operation().isRooted() ? random.nextInt(size) : 0,
                        Arrays.stream(shares).sum(),
                        DataType.F64,
                        OPS[random.nextInt(OPS.length)],
                        random.nextInt(8),
                        random.nextBoolean());
        EngineSettings settings =
                new EngineSettings(32, 1 + random.nextInt(4), 1 + random.nextInt(2));
        try {
            SimulatedFabric fabric = new SimulatedFabric(size, settings, seed, seed);
            TestCollective test =
                    new TestCollective(shape, TestLayout.of(shape, shares), seed, random);
            test.startAll(fabric);
            fabric.runUntil(test::isOver);
            test.verify();
            fabric.runUntilQuiet();
            for (int rank = 0; rank < size; rank++) {
                assertThat(fabric.heldPieces(rank)).isZero();
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "seed " + seed + ": " + shape + " " + Arrays.toString(shares), e);
        }
    }

    @Test
    void aPlanThatPassesOthersSharesOnRefusesCountsThatOnlyTheirRanksKnow() {
        PlanCatalog.Entry bruck = PlanCatalog.entry(Operation.ALL_TO_ALL, Algorithm.BRUCK);
        Shape shape = new Shape(bruck, 4, 0, 16, DataType.F64, ReduceOp.SUM, 0, false);
        long[] ones = new long[16];
        Arrays.fill(ones, 1);
        TestCollective test =
                new TestCollective(shape, TestLayout.of(shape, ones), 0, new Random(1));
        SimulatedFabric fabric = new SimulatedFabric(4, new EngineSettings(32, 2, 2), 1, 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> test.start(fabric, 0))
                .withMessageContaining("BRUCK does not work with uneven counts");
        assertThat(fabric.engine(0).isIdle()).isTrue();
    }

    @Test
    void countsForAnotherNumberOfRanksAreRefused() {
        for (Algorithm algorithm : List.of(Algorithm.DIRECT, Algorithm.PAIRWISE)) {
            PlanCatalog.Entry entry = PlanCatalog.entry(Operation.ALL_TO_ALL, algorithm);
            Shape shape = new Shape(entry, 3, 0, 0, DataType.F64, ReduceOp.SUM, 0, false);
            TestCollective test = new TestCollective(shape, 0, new Random(1));
            CollectiveCall call = test.call(0).pairShares(new long[3], new long[2]);
            SimulatedFabric fabric = new SimulatedFabric(3, new EngineSettings(32, 2, 2), 1, 0);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fabric.engine(0).start(call, (ended, failure) -> {}))
                    .withMessageContaining("2 shares given to a plan of 3");
        }
    }
}
