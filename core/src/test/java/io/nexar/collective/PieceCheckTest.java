package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.ProtocolException;
import io.nexar.ReduceOp;
import io.nexar.collective.TestCollective.Shape;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.function.Consumer;

/** A peer may send anything: it is refused, and nothing else is harmed. */
class PieceCheckTest {
    private static final EngineSettings SETTINGS = new EngineSettings(32, 2, 3);
    private static final Shape SHAPE =
            new Shape(
                    PlanCatalog.entry(Operation.ALL_REDUCE, Algorithm.RECURSIVE_DOUBLING),
                    2,
                    0,
                    20,
                    DataType.I32,
                    ReduceOp.SUM,
                    0,
                    false);

    private final SimulatedFabric fabric = new SimulatedFabric(2, SETTINGS, 1, 9).withoutRefusals();
    private final CollectiveEngine engine = fabric.engine(0);
    private final TestCollective test = new TestCollective(SHAPE, 9, new Random(1));
    private long fingerprint;

    @BeforeEach
    void start() {
        fingerprint = Fingerprint.of(test.call(0), SETTINGS);
        test.start(fabric, 0);
    }

    private void deliver(Consumer<FrameHeader> change) {
        FrameHeader header =
                new FrameHeader().reset(FrameKind.PIECE).sequence(9).extra(fingerprint);
        header.payloadBytes(32);
        change.accept(header);
        engine.onPiece(1, header, MemorySegment.ofArray(new byte[header.payloadBytes()]));
    }

    private void assertRefused(Consumer<FrameHeader> change, String rule) {
        assertThatThrownBy(() -> deliver(change))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("rank 1")
                .hasMessageContaining(rule);
        assertThat(engine.brokenReason()).isNull();
        assertThat(fabric.heldPieces(0)).isZero();
    }

    @Test
    void piecesThatNoPlanHasAreRefused() {
        assertRefused(header -> header.offset(3), "outside the call's 3 slices");
        assertRefused(header -> header.offset(-1), "outside the call's 3 slices");
        assertRefused(header -> header.offset(Long.MIN_VALUE), "outside");
        assertRefused(header -> header.tag(1), "no message of the plan");
        assertRefused(header -> header.tag(-1), "no message of the plan");
        assertRefused(header -> header.fragment(1), "no fragment");
        assertRefused(header -> header.fragment(0xFFFF), "no fragment");
        assertRefused(header -> header.payloadBytes(28), "must have 32 bytes");
        assertRefused(header -> header.payloadBytes(0), "must have 32 bytes");
        assertRefused(header -> header.payloadBytes(36), "must have 32 bytes");
        assertRefused(header -> header.sequence(8), "call that is over");
    }

    @Test
    void aPieceSentTwiceIsRefused() {
        fabric.runUntilQuiet();
        arrive(0);
        assertRefused(header -> {}, "slice that is over");
    }

    @Test
    void aPieceOfASliceThatIsOverIsRefused() {
        test.start(fabric, 1);
        fabric.runUntil(test::isOver);
        assertRefused(header -> {}, "call that is over");
    }

    private void arrive(long slice) {
        // The simulated fabric must know of the piece, else the engine gives back what never came.
        fabric.countArrived(1, 0);
        deliver(header -> header.offset(slice));
    }

    @Test
    void moreThanTheCreditIsRefused() {
        for (int i = 0; i < SETTINGS.creditPieces(); i++) {
            int tag = i;
            deliver(header -> header.sequence(10).tag(tag));
        }
        assertThat(fabric.heldPieces(0)).isEqualTo(SETTINGS.creditPieces());
        assertThatThrownBy(() -> deliver(header -> header.sequence(10).tag(3)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("credit of 3");
        assertThat(fabric.heldPieces(0)).isEqualTo(SETTINGS.creditPieces());
    }

    @Test
    void aHeldPieceThatDoesNotFitEndsItsCallAtTheStart() {
        fabric.countArrived(1, 0);
        TestCollective next = new TestCollective(SHAPE, 10, new Random(1));
        long nextFingerprint = Fingerprint.of(next.call(0), SETTINGS);
        deliver(header -> header.sequence(10).tag(7).extra(nextFingerprint));
        next.start(fabric, 0);
        assertThat(next.failure(0)).isInstanceOf(ProtocolException.class);
        assertThat(test.failure(0)).isSameAs(next.failure(0));
        assertThat(fabric.heldPieces(0)).isZero();
    }
}
