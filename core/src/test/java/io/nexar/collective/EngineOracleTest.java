package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.collective.TestCollective.Shape;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The real engine with the real plans on a simulated fabric, against plain loops. */
class EngineOracleTest {
    private static final int[] SIZES = {1, 2, 3, 4, 5, 7, 8};
    private static final int[] OFFSETS = {0, 1, 3, 7};
    private static final int[] WINDOWS = {1, 2, 4};
    private static final int[] CREDITS = {1, 2, 5};
    private static final DataType[] TYPES = {
        DataType.F32, DataType.F64, DataType.I32, DataType.I64
    };
    private static final ReduceOp[] OPS = {ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG};

    /** Four elements of eight bytes: a few hundred elements are many slices. */
    private static final int PIECE_BYTES = 32;

    @Test
    void everyPlanAgreesWithPlainLoopsAtEverySizeCountAndOffset() {
        // Pitfall 13, 16, 23: uneven shares, a world of one, odd offsets with guards on both sides.
        long seed = 0;
        for (PlanCatalog.Entry entry : PlanCatalog.entries()) {
            for (int size : SIZES) {
                for (long count : counts(size)) {
                    for (int offset : offsets(seed)) {
                        for (boolean inPlace : new boolean[] {false, true}) {
                            runOne(entry, size, count, offset, inPlace, ++seed);
                        }
                    }
                }
            }
        }
    }

    @Test
    void callsUnderWayTogetherAllEndRight() {
        for (long seed = 1; seed <= 500; seed++) {
            Random random = new Random(seed);
            try {
                runSeveral(random, seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    /** A later slice may be over before an earlier one; then both places are to be filled again. */
    @Test
    void theWindowIsFullAgainAfterSlicesThatEndedOutOfOrder() {
        PlanCatalog.Entry reduce =
                PlanCatalog.entry(Operation.REDUCE, Algorithm.REDUCE_SCATTER_ALLGATHER);
        PlanCatalog.Entry scatter =
                PlanCatalog.entry(Operation.REDUCE_SCATTER, Algorithm.HALVING_DOUBLING);
        EngineSettings settings = new EngineSettings(PIECE_BYTES, 2, 2);
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            SimulatedFabric fabric = new SimulatedFabric(4, settings, seed, 0);
            List<TestCollective> calls = new ArrayList<>();
            for (PlanCatalog.Entry entry : List.of(reduce, scatter, reduce, scatter)) {
                int root = entry.operation().isRooted() ? 1 : 0;
                Shape shape = new Shape(entry, 4, root, 1009, DataType.I32, ReduceOp.SUM, 0, false);
                calls.add(new TestCollective(shape, calls.size(), random));
            }
            calls.forEach(call -> call.startAll(fabric));
            try {
                fabric.runUntil(() -> calls.stream().allMatch(TestCollective::isOver));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
            calls.forEach(TestCollective::verify);
        }
    }

    /** Every offset of every case is too much for every build: each case has the next one. */
    private static int[] offsets(long seed) {
        return Boolean.getBoolean("nexar.test.full")
                ? OFFSETS
                : new int[] {OFFSETS[(int) (seed / 2 % OFFSETS.length)]};
    }

    private static long[] counts(int size) {
        int piece = PIECE_BYTES / 4;
        // Five slices, all held by the largest credit before a late call, more than a window of 4.
        long five = 4L * piece + 1;
        return new long[] {
            0, 1, size - 1, size, size + 1, 1009, piece + 1, five, 5L * piece * size + 3
        };
    }

    private static void runOne(
            PlanCatalog.Entry entry, int size, long count, int offset, boolean inPlace, long seed) {
        Random random = new Random(seed);
        Shape shape =
                new Shape(
                        entry,
                        size,
                        entry.operation().isRooted() ? random.nextInt(size) : 0,
                        entry.operation() == Operation.BARRIER ? 0 : count,
                        pick(TYPES, random),
                        pick(OPS, random),
                        offset,
                        inPlace);
        EngineSettings settings = settings(random);
        try {
            SimulatedFabric fabric = new SimulatedFabric(size, settings, seed, seed);
            TestCollective test = new TestCollective(shape, seed, random);
            test.startAll(fabric);
            fabric.runUntil(test::isOver);
            test.verify();
            fabric.runUntilQuiet();
            assertEverythingGivenBack(fabric, size, settings);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + shape + " " + settings, e);
        }
    }

    private static void runSeveral(Random random, long seed) {
        int size = SIZES[random.nextInt(SIZES.length)];
        EngineSettings settings = settings(random);
        long firstSequence = firstSequence(random);
        SimulatedFabric fabric = new SimulatedFabric(size, settings, seed, firstSequence);
        List<TestCollective> calls = new ArrayList<>();
        int callCount = 1 + random.nextInt(8);
        for (int i = 0; i < callCount; i++) {
            PlanCatalog.Entry plain =
                    PlanCatalog.entries().get(random.nextInt(PlanCatalog.entries().size()));
            PlanCatalog.Entry entry = random.nextInt(3) == 0 ? plain.confirmed() : plain;
            long[] counts = counts(size);
            Shape shape =
                    new Shape(
                            entry,
                            size,
                            entry.operation().isRooted() ? random.nextInt(size) : 0,
                            entry.operation() == Operation.BARRIER
                                    ? 0
                                    : counts[random.nextInt(counts.length)],
                            pick(TYPES, random),
                            pick(OPS, random),
                            OFFSETS[random.nextInt(OFFSETS.length)],
                            random.nextBoolean());
            calls.add(new TestCollective(shape, firstSequence + i, random));
        }
        int[] started = new int[size];
        int unstarted = size * callCount;
        while (unstarted > 0) {
            int rank = random.nextInt(size);
            if (started[rank] < callCount && random.nextInt(10) == 0) {
                calls.get(started[rank]++).start(fabric, rank);
                unstarted--;
            }
            fabric.step();
        }
        fabric.runUntil(() -> calls.stream().allMatch(TestCollective::isOver));
        calls.forEach(TestCollective::verify);
        fabric.runUntilQuiet();
        assertEverythingGivenBack(fabric, size, settings);
    }

    /** Also where 32 bits end, and where 64 do. */
    private static long firstSequence(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> (1L << 31) - 3;
            case 1 -> (1L << 32) - 3;
            case 2 -> -3;
            default -> 0;
        };
    }

    private static void assertEverythingGivenBack(
            SimulatedFabric fabric, int size, EngineSettings settings) {
        for (int rank = 0; rank < size; rank++) {
            assertThat(fabric.heldPieces(rank)).isZero();
            assertThat(fabric.engine(rank).isIdle()).isTrue();
            for (int peer = 0; peer < size; peer++) {
                assertThat(fabric.credit(rank, peer)).isEqualTo(settings.creditPieces());
            }
        }
    }

    private static EngineSettings settings(Random random) {
        return new EngineSettings(
                PIECE_BYTES,
                WINDOWS[random.nextInt(WINDOWS.length)],
                CREDITS[random.nextInt(CREDITS.length)]);
    }

    private static <T> T pick(T[] values, Random random) {
        return values[random.nextInt(values.length)];
    }
}
