package io.nexar.bench;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.collective.CollectiveCall;
import io.nexar.collective.CollectiveEngine;
import io.nexar.collective.EngineSettings;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.memory.BufferPool;
import io.nexar.reduce.Kernels;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * An allReduce of two engines in one thread, pieces handed over by a copy: what the engines
 * themselves cost.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EngineBench {
    private static final EngineSettings SETTINGS = new EngineSettings(64 << 10, 4, 16);

    @Param({"8", "65536", "1048576"})
    public int bytes = 8;

    @Param({"RECURSIVE_DOUBLING", "RING"})
    public Algorithm algorithm = Algorithm.RING;

    private final HandLane[] lanes = {new HandLane(0, SETTINGS), new HandLane(1, SETTINGS)};
    private final CollectiveEngine[] engines = {engine(0), engine(1)};
    private final CollectiveCall[] calls = {new CollectiveCall(), new CollectiveCall()};
    private final Plan[] plans = new Plan[2];
    private final MemorySegment[] memory = {MemorySegment.NULL, MemorySegment.NULL};
    private int over;

    private CollectiveEngine engine(int rank) {
        BufferPool buffers = new BufferPool(Arena.ofAuto(), SETTINGS.pieceBytes());
        return new CollectiveEngine(lanes[rank], SETTINGS, buffers, 0);
    }

    @Setup
    public void plan() {
        for (int rank = 0; rank < 2; rank++) {
            plans[rank] =
                    PlanCatalog.entry(Operation.ALL_REDUCE, algorithm)
                            .plan(new PlanRequest(Operation.ALL_REDUCE, algorithm, rank, 2, 0));
            memory[rank] = Arena.ofAuto().allocate(bytes, 64);
        }
    }

    @Benchmark
    public void allReduce() {
        over = 0;
        long count = bytes / DataType.F32.bytes();
        for (int rank = 0; rank < 2; rank++) {
            engines[rank].start(
                    calls[rank]
                            .reset(plans[rank], engines[rank].nextSequence())
                            .elements(DataType.F32, count)
                            .reduction(ReduceOp.SUM, Kernels.find(ReduceOp.SUM, DataType.F32))
                            .memory(memory[rank], memory[rank])
                            .evenShares(count),
                    (call, failure) -> over++);
        }
        while (over < 2) {
            lanes[0].deliver(engines[1]);
            lanes[1].deliver(engines[0]);
            engines[0].advance();
            engines[1].advance();
        }
    }
}
