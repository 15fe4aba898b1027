package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.CallDescription;
import io.nexar.DataType;
import io.nexar.MismatchException;
import io.nexar.ReduceOp;
import io.nexar.collective.TestCollective.Shape;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Ranks that make different calls, on a network that does everything that it may: all of them learn
 * both calls, whoever sends and whoever waits. One seed, one schedule.
 */
@Timeout(600)
class SimulatedMismatchTest {
    private static final int SEEDS = Boolean.getBoolean("nexar.test.full") ? 20_000 : 600;
    private static final long QUARTER_SECOND = 250_000_000;

    /** The promise: five seconds. */
    private static final int QUARTERS_MAX = 20;

    /** Same calls before the different ones: ranks may then be several calls apart. */
    private static final int SAME_CALLS_MAX = 3;

    // Pitfall 34: calls in another order are found out on every rank, also where all wait.
    @Test
    void everyRankLearnsBothCallsWhateverTheSchedule() {
        run(false);
    }

    // Pitfall 35: with nexar.check=full no rank's call ends well.
    @Test
    void noConfirmedCallReturnsUnlessAllRanksHaveMadeIt() {
        run(true);
    }

    private static void run(boolean isConfirmed) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int size = 2 + random.nextInt(4);
            EngineSettings settings =
                    new EngineSettings(32, 1 + random.nextInt(3), 1 + random.nextInt(3));
            SimulatedFabric fabric = new SimulatedFabric(size, settings, seed, 0).withAborts();
            new Run(seed, isConfirmed, random, fabric, size).run();
        }
    }

    private static final class Run {
        private final int seed;
        private final boolean isConfirmed;
        private final Random random;
        private final SimulatedFabric fabric;
        private final int size;
        private final List<TestCollective> same = new ArrayList<>();

        Run(int seed, boolean isConfirmed, Random random, SimulatedFabric fabric, int size) {
            this.seed = seed;
            this.isConfirmed = isConfirmed;
            this.random = random;
            this.fabric = fabric;
            this.size = size;
        }

        void run() {
            int before = random.nextInt(SAME_CALLS_MAX);
            for (int i = 0; i < before; i++) {
                same.add(new TestCollective(shape(), i, random));
            }
            Shape one = shape();
            Shape other = otherThan(one);
            TestCollective[] different = {
                new TestCollective(one, before, random), new TestCollective(other, before, random)
            };
            int[] choice = choice();
            List<Integer> starters = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                starters.add(rank);
            }
            Collections.shuffle(starters, random);
            for (int rank : starters) {
                same.forEach(call -> startUnlessBroken(call, rank));
                startUnlessBroken(different[choice[rank]], rank);
                for (int i = random.nextInt(30); i > 0; i--) {
                    fabric.step();
                }
            }
            requireEnd(different, choice, one + " / " + other);
        }

        private void startUnlessBroken(TestCollective call, int rank) {
            if (fabric.engine(rank).brokenReason() == null) {
                call.start(fabric, rank);
            }
        }

        private void requireEnd(TestCollective[] different, int[] choice, String what) {
            int quarters = 0;
            while (!areAllBroken()) {
                assertThat(quarters++)
                        .as("seed %d: quarters of a second, %s", seed, what)
                        .isLessThan(QUARTERS_MAX);
                fabric.passTime(QUARTER_SECOND);
                fabric.runUntilQuiet();
            }
            for (int rank = 0; rank < size; rank++) {
                RuntimeException reason = fabric.engine(rank).brokenReason();
                assertThat(reason)
                        .as("seed %d rank %d, %s", seed, rank, what)
                        .isInstanceOf(MismatchException.class);
                List<CallDescription> calls = ((MismatchException) reason).calls();
                assertThat(calls).as("seed %d rank %d", seed, rank).hasSize(2);
                CallDescription left = calls.getFirst();
                CallDescription right = calls.getLast();
                assertThat(left)
                        .isEqualTo(
                                CallWords.of(
                                        different[choice[left.rank()]].call(left.rank()), null));
                assertThat(right)
                        .isEqualTo(
                                CallWords.of(
                                        different[choice[right.rank()]].call(right.rank()), null));
                assertThat(choice[left.rank()])
                        .as("seed %d rank %d: %s", seed, rank, calls)
                        .isNotEqualTo(choice[right.rank()]);
                TestCollective own = different[choice[rank]];
                assertThat(isConfirmed && own.isOver(rank) && own.failure(rank) == null)
                        .as("seed %d rank %d ended well", seed, rank)
                        .isFalse();
                assertThat(fabric.heldPieces(rank)).isZero();
                assertThat(fabric.engine(rank).isIdle()).isTrue();
            }
        }

        private boolean areAllBroken() {
            for (int rank = 0; rank < size; rank++) {
                if (fabric.engine(rank).brokenReason() == null) {
                    return false;
                }
            }
            return true;
        }

        /** Which of the two calls each rank makes; both are made. */
        private int[] choice() {
            int[] choice = new int[size];
            for (int rank = 0; rank < size; rank++) {
                choice[rank] = random.nextInt(2);
            }
            int odd = random.nextInt(size);
            choice[odd] = 1 - choice[(odd + 1) % size];
            return choice;
        }

        private Shape shape() {
            List<PlanCatalog.Entry> entries = PlanCatalog.entries();
            PlanCatalog.Entry entry = entries.get(random.nextInt(entries.size()));
            Operation operation = entry.operation();
            return new Shape(
                    isConfirmed ? entry.confirmed() : entry,
                    size,
                    operation.isRooted() ? random.nextInt(size) : 0,
                    operation == Operation.BARRIER ? 0 : random.nextInt(60),
                    random.nextBoolean() ? DataType.I32 : DataType.F64,
                    random.nextBoolean() ? ReduceOp.SUM : ReduceOp.MAX,
                    0,
                    false);
        }

        /** Another call as the program sees it: the algorithm alone is not told to people. */
        private Shape otherThan(Shape one) {
            Shape other = shape();
            while (text(other).equals(text(one))) {
                other = shape();
            }
            return other;
        }

        private String text(Shape shape) {
            return CallWords.of(new TestCollective(shape, 0, new Random(1)).call(0), null)
                    .toString();
        }
    }
}
