package io.nexar.bench;

import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/** Writes a frame's header and reads it again. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HeaderBench {
    private final MemorySegment memory = Arena.ofAuto().allocate(FrameHeader.BYTES, 8);
    private final FrameHeader out = new FrameHeader();
    private final FrameHeader in = new FrameHeader();
    private long sequence;

    @Benchmark
    public FrameHeader writeAndRead() {
        out.reset(FrameKind.PIECE).payloadBytes(65_536).channel(7).sequence(sequence++).tag(3);
        out.encode(memory, 0);
        return in.decode(memory, 0);
    }
}
