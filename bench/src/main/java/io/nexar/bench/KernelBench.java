package io.nexar.bench;

import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.reduce.Kernel;
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

/** Sums two vectors into the first, in arrays and outside the heap. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class KernelBench {
    @Param({"F32", "F64", "I32", "BF16"})
    public DataType type = DataType.F32;

    /** Of each vector: in the first cache, in the second, in neither. */
    @Param({"4096", "65536", "16777216"})
    public int bytes = 4096;

    @Param({"true", "false"})
    public boolean isOnHeap;

    private Kernel kernel = Kernels.find(ReduceOp.SUM, DataType.F32);
    private MemorySegment left = MemorySegment.NULL;
    private MemorySegment right = MemorySegment.NULL;

    @Setup
    public void allocate() {
        kernel = Kernels.find(ReduceOp.SUM, type);
        left = memory();
        right = memory();
    }

    private MemorySegment memory() {
        return isOnHeap
                ? MemorySegment.ofArray(new double[bytes / Double.BYTES])
                : Arena.ofAuto().allocate(bytes, 64);
    }

    @Benchmark
    public void sum() {
        kernel.reduce(left, 0, right, 0, left, 0, bytes / type.bytes());
    }
}
