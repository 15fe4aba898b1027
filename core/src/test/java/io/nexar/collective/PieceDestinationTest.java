package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.fabric.PieceLane;
import io.nexar.memory.BufferPool;
import io.nexar.reduce.Kernels;
import io.nexar.transport.SendResult;
import io.nexar.wire.CallNote;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/** Where a piece is to go, said before it comes: only if it will be taken in as it is. */
@Timeout(30)
class PieceDestinationTest {
    private static final EngineSettings SETTINGS = new EngineSettings(32, 2, 4);

    /** Eight to a piece: three slices of each rank's twenty. */
    private static final int ITEMS = 20;

    private final SimulatedFabric fabric = new SimulatedFabric(2, SETTINGS, 1, 9).withoutRefusals();
    private CollectiveEngine engine = fabric.engine(0);
    private final CollectiveCall call = new CollectiveCall();
    private final MemorySegment input = Arena.ofAuto().allocate(4 * ITEMS, 4);
    private MemorySegment output = Arena.ofAuto().allocate(8 * ITEMS, 4);
    private @Nullable RuntimeException failure;
    private boolean isOver;

    private void gather() {
        prepare();
        start();
    }

    private void prepare() {
        call.reset(plan(Operation.ALL_GATHER), 9)
                .elements(DataType.I32, 2 * ITEMS)
                .memory(input, output)
                .evenShares(2 * ITEMS);
    }

    private static Plan plan(Operation operation) {
        PlanRequest request = new PlanRequest(operation, Algorithm.DIRECT, 0, 2, 0);
        return PlanCatalog.entry(operation, Algorithm.DIRECT).plan(request);
    }

    private void start() {
        engine.start(
                call,
                (_, cause) -> {
                    isOver = true;
                    failure = cause;
                });
    }

    private FrameHeader header(Consumer<FrameHeader> change) {
        FrameHeader header =
                new FrameHeader()
                        .reset(FrameKind.PIECE)
                        .sequence(9)
                        .extra(Fingerprint.of(call, SETTINGS))
                        .payloadBytes(32);
        change.accept(header);
        return header;
    }

    private @Nullable MemorySegment ask(Consumer<FrameHeader> change) {
        return engine.destination(1, header(change));
    }

    @Test
    void piecesOfAPlainReceiveAreBroughtToTheOutputAndLeftThere() {
        gather();
        for (int slice = 0; slice < 3; slice++) {
            int number = slice;
            int bytes = slice < 2 ? 32 : 16;
            FrameHeader header = header(frame -> frame.offset(number).payloadBytes(bytes));
            MemorySegment place = engine.destination(1, header);
            assertThat(place).isNotNull();
            assertThat(place.address()).isEqualTo(output.address() + 4 * ITEMS + 32L * slice);
            assertThat(place.byteSize()).isEqualTo(bytes);
            place.fill((byte) (slice + 1));
            fabric.countArrived(1, 0);
            engine.onPiece(1, header, place);
            engine.advance();
        }
        for (int i = 0; i < 4 * ITEMS; i++) {
            assertThat(output.get(ValueLayout.JAVA_BYTE, 4 * ITEMS + i))
                    .isEqualTo((byte) (i / 32 + 1));
        }
        assertThat(failure).isNull();
    }

    @Test
    void aPieceThatWouldBeRefusedOrHeldHasNoPlace() {
        prepare();
        assertThat(ask(frame -> {})).as("before the call").isNull();
        start();
        assertThat(ask(frame -> {})).isNotNull();
        assertThat(ask(frame -> frame.extra(7))).as("another call's").isNull();
        assertThat(ask(frame -> frame.sequence(8))).as("a call that is over").isNull();
        assertThat(ask(frame -> frame.sequence(10))).as("a later call").isNull();
        assertThat(ask(frame -> frame.tag(1))).as("no message of the plan").isNull();
        assertThat(ask(frame -> frame.tag(-1))).as("no message of the plan").isNull();
        assertThat(ask(frame -> frame.fragment(1))).as("no fragment").isNull();
        assertThat(ask(frame -> frame.payloadBytes(28))).as("too short").isNull();
        assertThat(ask(frame -> frame.payloadBytes(36))).as("too long").isNull();
        assertThat(ask(frame -> frame.offset(2).payloadBytes(16))).as("not begun").isNull();
        assertThat(ask(frame -> frame.offset(3))).as("no such slice").isNull();
        assertThat(ask(frame -> frame.offset(-1))).as("no such slice").isNull();
        assertThat(ask(frame -> {})).as("asking changes nothing").isNotNull();
        assertThat(isOver).isFalse();
        assertThat(engine.brokenReason()).isNull();
    }

    @Test
    void aCallThatHasFailedGivesNoPlaceAnyMore() {
        gather();
        assertThat(ask(frame -> {})).isNotNull();
        engine.fail(new IllegalStateException("timed out"));
        assertThat(isOver).isTrue();
        assertThat(ask(frame -> {})).isNull();
    }

    @Test
    void whatWouldBeConsumedAtOnceIsReadWhereItIsShown() {
        prepare();
        assertThat(engine.readsInPlace(1, header(frame -> {}))).as("before the call").isFalse();
        start();
        assertThat(engine.readsInPlace(1, header(frame -> {}))).isTrue();
        assertThat(engine.readsInPlace(1, header(frame -> frame.extra(7)))).isFalse();
        assertThat(engine.readsInPlace(1, header(frame -> frame.tag(1)))).isFalse();
        assertThat(engine.readsInPlace(1, header(frame -> frame.payloadBytes(28)))).isFalse();
        assertThat(engine.readsInPlace(1, header(frame -> frame.offset(2).payloadBytes(16))))
                .as("not begun")
                .isFalse();
    }

    @Test
    void aPieceWhosePayloadMayHaveChangedHasNotCome() {
        OneWayLane lane = new OneWayLane();
        engine = new CollectiveEngine(lane, SETTINGS, new BufferPool(Arena.ofAuto(), 32), 9);
        gather();
        for (int slice = 0; slice < 3; slice++) {
            int number = slice;
            lane.isIntact = slice < 2;
            FrameHeader header =
                    header(frame -> frame.offset(number).payloadBytes(number < 2 ? 32 : 16));
            assertThat(engine.readsInPlace(1, header)).isTrue();
            engine.onPiece(1, header, Arena.ofAuto().allocate(header.payloadBytes()));
            engine.advance();
        }
        assertThat(lane.released).isEqualTo(2);
        assertThat(isOver).isFalse();
        engine.onPeerLost(1, new IllegalStateException("lost"));
        assertThat(isOver).isTrue();
        assertThat(failure).hasMessage("lost");
    }

    /** Rank 0 of two; what it sends is gone at once. */
    private static final class OneWayLane implements PieceLane {
        private boolean isIntact = true;
        private int released;

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public int size() {
            return 2;
        }

        @Override
        public int credit(int peer) {
            return SETTINGS.creditPieces();
        }

        @Override
        public SendResult trySend(int peer, FrameHeader header, MemorySegment payload, long token) {
            return SendResult.SENT;
        }

        @Override
        public boolean finishReading(int peer) {
            return isIntact;
        }

        @Override
        public void release(int peer, int pieces) {
            released += pieces;
        }

        @Override
        public void tell(int peer, CallNote note) {}
    }

    @Test
    void memoryOnTheHeapAndReductionsAreShownThePayload() {
        output = MemorySegment.ofArray(new int[2 * ITEMS]);
        gather();
        assertThat(ask(frame -> {})).isNull();
    }

    @Test
    void aReductionReadsThePayload() {
        PlanRequest request =
                new PlanRequest(Operation.ALL_REDUCE, Algorithm.RECURSIVE_DOUBLING, 0, 2, 0);
        call.reset(
                        PlanCatalog.entry(Operation.ALL_REDUCE, Algorithm.RECURSIVE_DOUBLING)
                                .plan(request),
                        9)
                .elements(DataType.I32, ITEMS)
                .reduction(ReduceOp.SUM, Kernels.find(ReduceOp.SUM, DataType.I32))
                .memory(input, input)
                .evenShares(ITEMS);
        start();
        assertThat(ask(frame -> {})).isNull();
    }
}
