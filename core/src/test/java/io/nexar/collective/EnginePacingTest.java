package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.collective.SimulatedFabric.Event;
import io.nexar.collective.TestCollective.Shape;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What is under way at the same time, and what is not. */
class EnginePacingTest {
    private static Shape ring(int size, long count) {
        return new Shape(
                PlanCatalog.entry(Operation.ALL_REDUCE, Algorithm.RING),
                size,
                0,
                count,
                DataType.F32,
                ReduceOp.SUM,
                0,
                true);
    }

    private static Shape broadcast(long count) {
        return new Shape(
                PlanCatalog.entry(Operation.BROADCAST, Algorithm.BINOMIAL_TREE),
                2,
                0,
                count,
                DataType.F32,
                ReduceOp.SUM,
                0,
                true);
    }

    @Test
    void theSecondRoundBeginsBeforeTheFirstHasArrived() {
        SimulatedFabric fabric = new SimulatedFabric(4, new EngineSettings(32, 4, 8), 5, 0);
        List<Event> trace = fabric.traced();
        TestCollective test = new TestCollective(ring(4, 8 * 4 * 6), 0, new Random(5));
        test.startAll(fabric);
        fabric.runUntil(test::isOver);
        test.verify();
        // On a ring the first rank sends to the second only: message k is round k.
        int secondRoundLeaves = first(trace, "sent", 0, 1, 1);
        int firstRoundArrives = last(trace, "arrived", 3, 0, 0);
        assertThat(secondRoundLeaves).isNotNegative().isLessThan(firstRoundArrives);
    }

    @Test
    void theRoundsOf64MebibytesOverlapToo() {
        EngineSettings settings = new EngineSettings(64 << 10, 4, 16);
        SimulatedFabric fabric = new SimulatedFabric(4, settings, 6, 0);
        List<Event> trace = fabric.traced();
        TestCollective test = new TestCollective(ring(4, 16 << 20), 0, new Random(6));
        test.startAll(fabric);
        fabric.runUntil(test::isOver);
        int secondRoundLeaves = first(trace, "sent", 0, 1, 1);
        int firstRoundArrives = last(trace, "arrived", 3, 0, 0);
        assertThat(secondRoundLeaves).isNotNegative().isLessThan(firstRoundArrives / 10);
    }

    @Test
    void noMoreSlicesAreUnderWayThanAllowed() {
        for (int window : new int[] {1, 2, 3}) {
            SimulatedFabric fabric =
                    new SimulatedFabric(3, new EngineSettings(32, window, 8), window, 0);
            List<Event> trace = fabric.traced();
            TestCollective test = new TestCollective(ring(3, 8 * 3 * 7), 0, new Random(5));
            test.startAll(fabric);
            fabric.runUntil(test::isOver);
            test.verify();
            assertThat(mostSlicesAhead(trace)).isLessThan(window);
        }
    }

    @Test
    void aRankThatComesLateWaitsForTheSlicesThatAreNotHeldYet() {
        // Whoever takes in a held piece may end its slice and begin a later one in the same place.
        for (int window : new int[] {1, 2, 4}) {
            for (int credit = 1; credit <= 8; credit++) {
                SimulatedFabric fabric =
                        new SimulatedFabric(2, new EngineSettings(32, window, credit), credit, 0);
                TestCollective test = new TestCollective(broadcast(8 * 6 + 1), 0, new Random(5));
                test.start(fabric, 0);
                fabric.runUntilQuiet();
                test.start(fabric, 1);
                fabric.runUntil(test::isOver);
                test.verify();
                fabric.runUntilQuiet();
                assertThat(fabric.credit(0, 1)).isEqualTo(credit);
            }
        }
    }

    @Test
    void aRankThatComesLateHoldsNoMoreThanTheCredit() {
        for (int credit : new int[] {1, 3}) {
            SimulatedFabric fabric =
                    new SimulatedFabric(3, new EngineSettings(32, 4, credit), credit, 0);
            TestCollective[] tests = new TestCollective[4];
            for (int i = 0; i < tests.length; i++) {
                tests[i] = new TestCollective(ring(3, 500), i, new Random(i));
                tests[i].start(fabric, 0);
                tests[i].start(fabric, 1);
            }
            fabric.runUntilQuiet();
            assertThat(fabric.heldPieces(2)).isPositive().isLessThanOrEqualTo(2L * credit);
            assertThat(tests[0].isOver(0) || tests[0].isOver(1)).isFalse();
            for (TestCollective test : tests) {
                test.start(fabric, 2);
            }
            fabric.runUntil(() -> Arrays.stream(tests).allMatch(TestCollective::isOver));
            for (TestCollective test : tests) {
                test.verify();
            }
            assertThat(fabric.heldPieces(2)).isZero();
        }
    }

    @Test
    void aRootThatRunsAheadIsHeldBackByCredit() {
        SimulatedFabric fabric = new SimulatedFabric(2, new EngineSettings(32, 4, 2), 1, 0);
        Shape shape =
                new Shape(
                        PlanCatalog.entry(Operation.BROADCAST, Algorithm.BINOMIAL_TREE),
                        2,
                        0,
                        1,
                        DataType.I64,
                        ReduceOp.SUM,
                        0,
                        true);
        TestCollective[] tests = new TestCollective[10];
        for (int i = 0; i < tests.length; i++) {
            tests[i] = new TestCollective(shape, i, new Random(i));
            tests[i].start(fabric, 0);
        }
        fabric.runUntilQuiet();
        assertThat(tests[1].isOver(0)).isTrue();
        assertThat(tests[2].isOver(0)).isFalse();
        assertThat(fabric.heldPieces(1)).isEqualTo(2);
        for (TestCollective test : tests) {
            test.start(fabric, 1);
        }
        fabric.runUntil(() -> Arrays.stream(tests).allMatch(TestCollective::isOver));
        for (TestCollective test : tests) {
            test.verify();
        }
    }

    /**
     * How far the slices that a rank sends in run ahead of the last one that it is through with.
     */
    private static long mostSlicesAhead(List<Event> trace) {
        long most = 0;
        for (int rank = 0; rank < 3; rank++) {
            int next = (rank + 1) % 3;
            int previous = (rank + 2) % 3;
            // The last message of a ring over three ranks is the fourth.
            long over = -1;
            for (Event event : trace) {
                if (event.what().equals("arrived")
                        && event.to() == rank
                        && event.from() == previous
                        && event.ordinal() == 3) {
                    over = Math.max(over, event.slice());
                }
                if (event.what().equals("sent") && event.from() == rank && event.to() == next) {
                    most = Math.max(most, event.slice() - over - 1);
                }
            }
        }
        return most;
    }

    private static int first(List<Event> trace, String what, int from, int to, int ordinal) {
        for (int i = 0; i < trace.size(); i++) {
            if (matches(trace.get(i), what, from, to, ordinal)) {
                return i;
            }
        }
        return -1;
    }

    private static int last(List<Event> trace, String what, int from, int to, int ordinal) {
        for (int i = trace.size() - 1; i >= 0; i--) {
            if (matches(trace.get(i), what, from, to, ordinal)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean matches(Event event, String what, int from, int to, int ordinal) {
        return event.what().equals(what)
                && event.from() == from
                && event.to() == to
                && event.ordinal() == ordinal;
    }
}
