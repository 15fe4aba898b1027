package io.nexar.bench;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;

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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * A message over shared memory, there and back, where one thread is both ranks: all the code that
 * they run for two messages, without the way from core to core and without waiting.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MessageBench {
    @Param({"8", "1024"})
    public int bytes = 8;

    private final LocalCluster cluster =
            LocalCluster.start(2, NexarConfig.defaults().with("nexar.transport", "shm"));

    private final Communicator here = cluster.communicators().getFirst();
    private final Communicator there = cluster.communicators().getLast();
    private DataBuffer ping = DataBuffer.allocate(DataType.U8, 0);
    private DataBuffer pong = DataBuffer.allocate(DataType.U8, 0);

    @Setup
    public void allocate() {
        ping = DataBuffer.allocate(DataType.U8, bytes);
        pong = DataBuffer.allocate(DataType.U8, bytes);
    }

    @Benchmark
    public void thereAndBack() {
        here.send(ping, 1, 1);
        there.receive(pong, 0, 1);
        there.send(pong, 0, 1);
        here.receive(ping, 1, 1);
    }

    @TearDown
    public void close() {
        cluster.close();
    }
}
