package io.nexar.bench;

import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.transport.Transport;
import io.nexar.transport.local.LocalHub;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

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
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One frame through the ring of a local link: sent and polled by one thread, so without waiting.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RingBench {
    @Param({"8", "4096", "65536"})
    public int bytes = 8;

    private final FrameHeader header = new FrameHeader();
    private long frames;
    private final SendListener sent = token -> {};
    private final FrameHandler taken = (link, lane, frame, payload) -> frames++;
    private final List<Link> accepted = new ArrayList<>();
    private final Link dialled = dial();
    private MemorySegment payload = MemorySegment.NULL;

    @Setup
    public void allocate() {
        payload = Arena.ofAuto().allocate(bytes, 64);
    }

    private Link dial() {
        Transport hub = new LocalHub();
        Endpoint there = hub.open(settings(1));
        return hub.open(settings(0)).connect(new MemberId(1), there.address(), 1).join();
    }

    private EndpointSettings settings(long id) {
        return new EndpointSettings(
                new MemberId(id),
                null,
                InetAddress.getLoopbackAddress(),
                NexarConfig.defaults(),
                member -> true,
                accepted::add,
                () -> {},
                Thread.ofPlatform().daemon().factory());
    }

    @Benchmark
    public long sendAndPoll() {
        header.reset(FrameKind.PIECE).payloadBytes(bytes);
        SendResult result = dialled.trySend(Lane.COLLECTIVE, header, payload, sent, 0);
        if (result == SendResult.REFUSED) {
            throw new IllegalStateException("an empty ring refused a frame");
        }
        accepted.getFirst().poll(taken, 1);
        dialled.poll(taken, 1);
        return frames;
    }
}
