package io.nexar.bench;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.Request;

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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A message of a rank to itself: no link, so what is left is matching it, past receives and
 * messages of other tags that wait.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MatcherBench {
    @Param({"0", "16", "256"})
    public int waiting;

    private final LocalCluster cluster = LocalCluster.start(1);
    private final Communicator world = cluster.communicators().getFirst();
    private final DataBuffer out = DataBuffer.of(new long[] {42});
    private final DataBuffer in = DataBuffer.of(new long[1]);
    private final List<Request<?>> posted = new ArrayList<>();

    @Setup
    public void post() {
        for (int i = 0; i < waiting; i++) {
            posted.add(world.async().receive(DataBuffer.of(new long[1]), 0, 1_000 + i));
            world.send(out, 0, 100_000 + i);
        }
    }

    /** The receive comes first. */
    @Benchmark
    public void expected() {
        var receive = world.async().receive(in, 0, 1);
        world.send(out, 0, 1);
        receive.await();
    }

    /** The message comes first. */
    @Benchmark
    public void unexpected() {
        world.send(out, 0, 1);
        world.receive(in, 0, 1);
    }

    @TearDown
    public void close() {
        posted.forEach(Request::cancel);
        cluster.close();
    }
}
