package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.Algorithm;
import io.nexar.CallDescription;
import io.nexar.DataType;
import io.nexar.MismatchException;
import io.nexar.PeerLeftException;
import io.nexar.PeerLostException;
import io.nexar.ReduceOp;
import io.nexar.collective.TestCollective.Shape;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.reduce.Kernels;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** How calls end that cannot end well: by whom, with what, and what is left behind. */
class EngineFailureTest {
    private static final EngineSettings SETTINGS = new EngineSettings(32, 2, 2);
    private static final int SEEDS = 50;

    private static Shape shape(Operation operation, Algorithm algorithm, int size, long count) {
        return new Shape(
                PlanCatalog.entry(operation, algorithm),
                size,
                0,
                count,
                DataType.I32,
                ReduceOp.SUM,
                0,
                false);
    }

    private static Shape allReduce(int size, long count) {
        return shape(Operation.ALL_REDUCE, Algorithm.RECURSIVE_DOUBLING, size, count);
    }

    private static PeerLostException lost(int rank) {
        return new PeerLostException(null, rank, "process exited", Duration.ZERO);
    }

    @Test
    void differentCountsEndInAMismatchThatNamesBothCallsOnBothRanks() {
        // Pitfall 35: different counts on two ranks are an error on both, and the engines are
        // broken.
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedFabric fabric = new SimulatedFabric(2, SETTINGS, seed, 41).withAborts();
            TestCollective one = new TestCollective(allReduce(2, 1000), 41, new Random(seed));
            TestCollective two = new TestCollective(allReduce(2, 1001), 41, new Random(seed));
            one.start(fabric, 0);
            two.start(fabric, 1);
            fabric.runUntil(() -> one.isOver(0) && two.isOver(1));
            for (RuntimeException failed : Arrays.asList(one.failure(0), two.failure(1))) {
                assertThat(failed)
                        .isInstanceOf(MismatchException.class)
                        .hasMessageContaining("rank 0 calls allReduce #41 of 1000 I32 with SUM")
                        .hasMessageContaining("rank 1 calls allReduce #41 of 1001 I32 with SUM");
            }
            assertThatThrownBy(() ->
                            new TestCollective(allReduce(2, 1), 42, new Random(1)).start(fabric, 0))
                    .isSameAs(one.failure(0));
        }
    }

    @Test
    void aMismatchWithARankThatDiedBeforeItCouldTellNamesTheOwnCall() {
        SimulatedFabric fabric = new SimulatedFabric(2, SETTINGS, 3, 5).withAborts();
        TestCollective one = new TestCollective(allReduce(2, 10), 5, new Random(3));
        TestCollective two = new TestCollective(allReduce(2, 11), 5, new Random(3));
        two.start(fabric, 1);
        fabric.runUntilQuiet();
        fabric.lose(1, lost(1));
        one.start(fabric, 0);
        MismatchException failure =
                (MismatchException) Objects.requireNonNull(one.failure(0), "ended well");
        assertThat(failure).hasMessageContaining("of 10 I32").hasMessageContaining("not known");
        assertThat(failure.calls()).extracting(CallDescription::rank).containsExactly(0, 1);
    }

    @Test
    void whoLeavesWhileCallsAreComparedDoesNotHideTheMismatch() {
        SimulatedFabric fabric = new SimulatedFabric(4, SETTINGS, 4, 5).withAborts();
        TestCollective call = new TestCollective(allReduce(4, 10), 5, new Random(4));
        call.start(fabric, 1);
        fabric.countArrived(0, 1);
        FrameHeader header = new FrameHeader().reset(FrameKind.PIECE).sequence(5).extra(77);
        fabric.engine(1).onPiece(0, header, MemorySegment.NULL);
        fabric.engine(1).onPeerLost(3, new PeerLeftException(null, 3, "it closed"));
        assertThat(call.isOver(1)).as("compared").isFalse();
        fabric.engine(1).onPeerLost(0, lost(0));
        assertThat(call.failure(1))
                .isInstanceOf(MismatchException.class)
                .hasMessageContaining("of 10 I32")
                .hasMessageContaining("not known");
    }

    @Test
    void whoNeededNothingLearnsOfTheMismatchAfterwards() {
        SimulatedFabric fabric = new SimulatedFabric(2, SETTINGS, 7, 5).withAborts();
        TestCollective root =
                new TestCollective(
                        shape(Operation.BROADCAST, Algorithm.BINOMIAL_TREE, 2, 1),
                        5,
                        new Random(7));
        TestCollective other = new TestCollective(allReduce(2, 1), 5, new Random(7));
        root.start(fabric, 0);
        fabric.runUntil(() -> root.isOver(0));
        assertThat(root.failure(0)).isNull();
        other.start(fabric, 1);
        fabric.runUntil(() -> fabric.engine(0).brokenReason() != null && other.isOver(1));
        assertThat(fabric.engine(0).brokenReason())
                .isInstanceOf(MismatchException.class)
                .hasMessageContaining("rank 0 calls broadcast #5")
                .hasMessageContaining("rank 1 calls allReduce #5");
        assertThat(fabric.engine(0).untoldReason()).isSameAs(fabric.engine(0).brokenReason());
        assertThat(fabric.engine(1).untoldReason()).isNull();
        assertThat(other.failure(1)).isInstanceOf(MismatchException.class);
        assertThatThrownBy(() ->
                        new TestCollective(allReduce(2, 1), 6, new Random(7)).start(fabric, 0))
                .isSameAs(other.failure(1));
        assertThat(fabric.engine(0).untoldReason()).as("after it was told").isNull();
    }

    @Test
    void theLossOfAPeerEndsWhatNeedsItAndNothingElse() {
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedFabric fabric = new SimulatedFabric(4, SETTINGS, seed, 0);
            // Rank 3 is a leaf of the tree: it owes nobody anything, and ranks 1 and 2 do not need
            // it.
            TestCollective broadcast =
                    new TestCollective(
                            shape(Operation.BROADCAST, Algorithm.BINOMIAL_TREE, 4, 50),
                            0,
                            new Random(seed));
            TestCollective reduce = new TestCollective(allReduce(4, 50), 1, new Random(seed));
            for (int rank = 0; rank < 3; rank++) {
                broadcast.start(fabric, rank);
                reduce.start(fabric, rank);
            }
            PeerLostException failure = lost(3);
            fabric.lose(3, failure);
            // The partners of rank 3 in recursive doubling are ranks 1 and 2; rank 0 has none in
            // it.
            assertThat(reduce.failure(1)).isSameAs(failure);
            assertThat(reduce.failure(2)).isSameAs(failure);
            assertThat(reduce.isOver(0)).isFalse();
            assertThat(fabric.engine(0).brokenReason()).isNull();
            fabric.runUntil(() -> broadcast.isOver(0) && broadcast.isOver(1));
            broadcast.verify(0);
            broadcast.verify(1);
            // What the others tell rank 0 by an abort frame.
            fabric.engine(0).fail(failure);
            assertThat(reduce.failure(0)).isSameAs(failure);
            fabric.runUntilQuiet();
            for (int rank = 0; rank < 3; rank++) {
                assertThat(fabric.heldPieces(rank)).isZero();
                assertThat(fabric.engine(rank).isIdle()).isTrue();
            }
        }
    }

    @Test
    void whoNeedsARankThatLeftAfterALossHearsOfTheLoss() {
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedFabric fabric = new SimulatedFabric(4, SETTINGS, seed, 0);
            TestCollective reduce = new TestCollective(allReduce(4, 50), 0, new Random(seed));
            reduce.start(fabric, 0);
            PeerLostException loss = lost(3);
            fabric.lose(3, loss);
            // Rank 0 needs nothing of rank 3 itself, in recursive doubling.
            assertThat(reduce.isOver(0)).isFalse();
            fabric.lose(1, new PeerLeftException(null, 1, "it closed in good order"));
            assertThat(reduce.failure(0)).as("seed %d", seed).isSameAs(loss);
        }
    }

    @Test
    void aRankThatLeftBeforeALossIsNamedItself() {
        SimulatedFabric fabric = new SimulatedFabric(4, SETTINGS, 9, 0);
        TestCollective reduce = new TestCollective(allReduce(4, 50), 0, new Random(9));
        PeerLeftException left = new PeerLeftException(null, 1, "it closed in good order");
        fabric.lose(1, left);
        fabric.lose(3, lost(3));
        reduce.start(fabric, 0);
        assertThat(reduce.failure(0)).isSameAs(left);
    }

    @Test
    void whatHasArrivedFromALostPeerIsEnough() {
        SimulatedFabric fabric =
                new SimulatedFabric(2, new EngineSettings(32, 2, 8), 3, 0).withoutPending();
        TestCollective gather =
                new TestCollective(
                        shape(Operation.BROADCAST, Algorithm.BINOMIAL_TREE, 2, 20),
                        0,
                        new Random(3));
        gather.start(fabric, 0);
        fabric.runUntil(() -> gather.isOver(0));
        fabric.runUntilQuiet();
        fabric.lose(0, lost(0));
        gather.start(fabric, 1);
        gather.verify(1);
        TestCollective next = new TestCollective(allReduce(2, 1), 1, new Random(3));
        next.start(fabric, 1);
        assertThat(next.failure(1)).isInstanceOf(PeerLostException.class);
        assertThatThrownBy(() ->
                        new TestCollective(allReduce(2, 1), 2, new Random(3)).start(fabric, 1))
                .isSameAs(next.failure(1));
    }

    @Test
    void givingUpLeavesTheCallersMemoryAlone() {
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedFabric fabric = new SimulatedFabric(3, SETTINGS, seed, 0);
            TestCollective test =
                    new TestCollective(
                            shape(Operation.ALL_REDUCE, Algorithm.RING, 3, 300),
                            0,
                            new Random(seed));
            test.startAll(fabric);
            for (int i = 0; i < 40 + seed; i++) {
                fabric.step();
            }
            RuntimeException reason = new RuntimeException("deadline");
            if (test.isOver(1)) {
                continue;
            }
            fabric.engine(1).fail(reason);
            byte[] before = test.output(1).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
            fabric.runUntilQuiet();
            assertThat(test.failure(1)).isSameAs(reason);
            assertThat(test.output(1).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                    .isEqualTo(before);
            assertThat(fabric.heldPieces(1)).isZero();
            assertThat(fabric.engine(1).isIdle()).isTrue();
            // Whatever comes for the failed call is dropped, and its credit goes back.
            assertThat(fabric.credit(0, 1)).isEqualTo(SETTINGS.creditPieces());
        }
    }

    @Test
    @SuppressWarnings("MustBeClosedChecker") // When it closes is what the test is about.
    void memoryClosedInTheMiddleEndsTheCallAndNotTheEngine() {
        SimulatedFabric fabric = new SimulatedFabric(2, SETTINGS, 11, 0);
        TestCollective peer = new TestCollective(allReduce(2, 200), 0, new Random(1));
        List<RuntimeException> failures = new ArrayList<>();
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(800, 8);
        fabric.engine(0).start(allReduceCall(memory), (call, failure) -> failures.add(failure));
        peer.start(fabric, 1);
        for (int i = 0; i < 30; i++) {
            fabric.step();
        }
        assertThat(failures).isEmpty();
        arena.close();
        fabric.runUntil(() -> !failures.isEmpty());
        assertThat(failures.getFirst())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("allReduce #0")
                .hasMessageContaining("closed");
        fabric.runUntilQuiet();
        assertThat(fabric.engine(0).isIdle()).isTrue();
        assertThat(fabric.heldPieces(0)).isZero();
    }

    private static CollectiveCall allReduceCall(MemorySegment memory) {
        PlanRequest request =
                new PlanRequest(Operation.ALL_REDUCE, Algorithm.RECURSIVE_DOUBLING, 0, 2, 0);
        return new CollectiveCall()
                .reset(PlanCatalog.entry(request.operation(), request.algorithm()).plan(request), 0)
                .elements(DataType.I32, 200)
                .reduction(ReduceOp.SUM, Kernels.find(ReduceOp.SUM, DataType.I32))
                .memory(memory, memory)
                .evenShares(200);
    }

    @Test
    void aCallThatDoesNotFitIsRefusedBeforeAnythingIsSent() {
        SimulatedFabric fabric = new SimulatedFabric(2, SETTINGS, 1, 0);
        CollectiveEngine engine = fabric.engine(0);
        MemorySegment small = MemorySegment.ofArray(new int[199]);
        assertThatThrownBy(() -> engine.start(allReduceCall(small), (call, failure) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("800")
                .hasMessageContaining("796");
        CollectiveCall later = allReduceCall(MemorySegment.ofArray(new int[200]));
        later.reset(later.plan(), 1);
        assertThatThrownBy(() -> engine.start(later, (call, failure) -> {}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(engine.nextSequence()).isZero();
        assertThat(engine.isIdle()).isTrue();
        assertThat(engine.brokenReason()).isNull();
    }
}
