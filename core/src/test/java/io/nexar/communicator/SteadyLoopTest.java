package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.PreparedCollective;
import io.nexar.ReduceOp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Function;

/** A steady loop of small collectives allocates nothing in the threads that call. */
@Timeout(120)
class SteadyLoopTest {
    /** Until the compiler is through with what is run. */
    private static final int WARM_CALLS = 10_000;

    private static final int CALLS = 1_000;

    /** An object a call, were it the smallest, would be this. */
    private static final int OBJECT_BYTES = 16;

    /** Class loading and the compiler's own doings come in between: the best of so many. */
    private static final int ATTEMPTS = 8;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aSmallAllReduceOverLocalAllocatesNothing(int size) {
        requireNothing(
                size,
                world -> {
                    DataBuffer floats = DataBuffer.of(new float[16]);
                    return () -> world.allReduce(floats, ReduceOp.SUM);
                });
    }

    @Test
    void noKindOfSmallCallAllocatesAnything() {
        requireNothing(
                4,
                world -> {
                    DataBuffer send = DataBuffer.allocate(DataType.I64, 12);
                    DataBuffer receive = DataBuffer.allocate(DataType.I64, 12);
                    Communicator doubling = world.withAlgorithm(Algorithm.RECURSIVE_DOUBLING);
                    return () -> {
                        world.allReduce(send, receive, ReduceOp.MAX);
                        doubling.allReduce(send, receive, ReduceOp.BXOR);
                        world.barrier();
                        world.broadcast(send, 2);
                        world.reduce(send, receive, ReduceOp.SUM, 1);
                        world.scan(send, receive, ReduceOp.SUM);
                    };
                });
    }

    @Test
    void aPreparedCallAllocatesNothing() {
        requireNothing(
                4,
                world -> {
                    DataBuffer floats = DataBuffer.of(new float[16]);
                    PreparedCollective sum = world.prepare().allReduce(floats, ReduceOp.SUM);
                    return sum::run;
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "quic"})
    void whatACallBetweenProcessesAllocatesIsSaid(String transport) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(2, config)) {
            List<Long> bytes =
                    cluster.call(world -> {
                        DataBuffer floats = DataBuffer.of(new float[16]);
                        Runnable call = () -> world.allReduce(floats, ReduceOp.SUM);
                        return bytesOf(call, CALLS / 2, 1) / CALLS;
                    });
            System.out.println(
                    "bytes a call over " + transport + " in the threads that call: " + bytes);
        }
    }

    private static void requireNothing(int size, Function<Communicator, Runnable> loop) {
        try (LocalCluster cluster = LocalCluster.start(size)) {
            List<Long> bytes =
                    cluster.call(world -> bytesOf(loop.apply(world), WARM_CALLS, ATTEMPTS));
            // Where ranks get no processor for a while, ways are gone that the compiler has not
            // seen
            // often: an object now and then is not the loop's.
            assertThat(bytes)
                    .as("bytes in %d calls, by rank", CALLS)
                    .allMatch(each -> each < CALLS * OBJECT_BYTES);
        }
    }

    /** What the calling thread allocates in so many calls: the least of all attempts. */
    private static long bytesOf(Runnable call, int warmCalls, int attempts) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < warmCalls; i++) {
            call.run();
        }
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < attempts; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
