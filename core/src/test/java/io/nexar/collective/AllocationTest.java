package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.fabric.PieceLane;
import io.nexar.memory.BufferPool;
import io.nexar.reduce.Kernel;
import io.nexar.reduce.Kernels;
import io.nexar.transport.SendResult;
import io.nexar.wire.CallNote;
import io.nexar.wire.FrameHeader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;

/** A repeated small collective makes no garbage. */
class AllocationTest {
    private static final int WARM_CALLS = 2_000;
    private static final int CALLS = 2_000;

    /**
     * What a stray object of the measurement itself may cost; one object a call would be 16 times
     * that.
     */
    private static final long STRAY_BYTES = 2_000;

    private final EngineSettings settings = new EngineSettings(1024, 4, 8);
    private final DirectLane[] lanes = {new DirectLane(0), new DirectLane(1)};
    private final CollectiveEngine[] engines = new CollectiveEngine[2];
    private final CollectiveCall[] calls = {new CollectiveCall(), new CollectiveCall()};
    private final MemorySegment[] memory = {
        MemorySegment.ofArray(new float[16]), Arena.ofAuto().allocate(64, 4)
    };
    private final Kernel kernel = Kernels.find(ReduceOp.SUM, DataType.F32);
    private int over;
    private final ExecutionListener countOver = (call, failure) -> over++;

    @Test
    void aRepeatedBarrierMakesNoGarbage() {
        assertNoGarbage(Operation.BARRIER, Algorithm.DISSEMINATION);
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "RECURSIVE_DOUBLING"})
    void aRepeatedSmallAllReduceMakesNoGarbage(Algorithm algorithm) {
        assertNoGarbage(Operation.ALL_REDUCE, algorithm);
    }

    private void assertNoGarbage(Operation operation, Algorithm algorithm) {
        Plan[] plans = new Plan[2];
        for (int rank = 0; rank < 2; rank++) {
            BufferPool buffers = new BufferPool(Arena.ofAuto(), settings.pieceBytes());
            engines[rank] = new CollectiveEngine(lanes[rank], settings, buffers, 0);
            plans[rank] =
                    PlanCatalog.entry(operation, algorithm)
                            .plan(new PlanRequest(operation, algorithm, rank, 2, 0));
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        run(plans, WARM_CALLS);
        // The best of several: class loading and the compiler's own doings come in between.
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 10 && least > STRAY_BYTES; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            run(plans, CALLS);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes for %d calls", CALLS).isLessThanOrEqualTo(STRAY_BYTES);
    }

    /** Hands a piece to the other engine at its next turn; holds one. */
    private final class DirectLane implements PieceLane {
        private final int rank;
        private final FrameHeader header = new FrameHeader();
        private final MemorySegment copy = Arena.ofAuto().allocate(64);
        private MemorySegment payload = MemorySegment.NULL;
        private boolean isFull;

        DirectLane(int rank) {
            this.rank = rank;
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public int size() {
            return 2;
        }

        @Override
        public int credit(int peer) {
            return 8;
        }

        @Override
        public SendResult trySend(int peer, FrameHeader sent, MemorySegment source, long token) {
            if (isFull) {
                return SendResult.REFUSED;
            }
            isFull = true;
            header.copyFrom(sent);
            payload = source.byteSize() == copy.byteSize() ? copy : MemorySegment.NULL;
            MemorySegment.copy(source, 0, payload, 0, source.byteSize());
            return SendResult.SENT;
        }

        @Override
        public void release(int peer, int pieces) {}

        @Override
        public void tell(int peer, CallNote note) {
            throw new AssertionError("told rank " + peer + " " + note);
        }

        void deliver() {
            if (isFull) {
                isFull = false;
                engines[1 - rank].onPiece(rank, header, payload);
            }
        }
    }

    private void run(Plan[] plans, int repetitions) {
        for (int i = 0; i < repetitions; i++) {
            over = 0;
            for (int rank = 0; rank < 2; rank++) {
                CollectiveCall call = calls[rank].reset(plans[rank], engines[rank].nextSequence());
                if (plans[rank].request().operation() == Operation.ALL_REDUCE) {
                    call.elements(DataType.F32, 16)
                            .reduction(ReduceOp.SUM, kernel)
                            .memory(memory[rank], memory[rank])
                            .evenShares(16);
                }
                engines[rank].start(call, countOver);
            }
            while (over < 2) {
                lanes[0].deliver();
                lanes[1].deliver();
                engines[0].advance();
                engines[1].advance();
            }
        }
    }
}
