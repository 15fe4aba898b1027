package io.nexar.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkDriver;
import io.nexar.transport.SendResult;
import io.nexar.transport.Waker;
import io.nexar.transport.tcp.TcpMembers.Job;
import io.nexar.transport.tcp.TcpMembers.Member;
import io.nexar.transport.tcp.TcpMembers.Wish;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** A connection that breaks on the way, cut by somebody between the two members. */
@Timeout(60)
class TcpBreakTest {
    private final Job job = new Job("break");
    private final Waker waker = new Waker();
    private final Wish wish = Wish.plain().with((Runnable) waker);
    private final Member one = new Member(1, job.identity(1), wish);
    private final Member two = new Member(2, job.identity(2), wish);
    private final Between between;
    private LinkDriver left;
    private LinkDriver right;

    @SuppressWarnings("NullAway.Init") // JUnit calls connect() before each test.
    TcpBreakTest() throws IOException {
        between = new Between(two.endpoint.address().candidates().getFirst());
    }

    @BeforeEach
    void connect() throws Exception {
        Link dialled = TcpMembers.dial(one, two, between.address());
        left = new LinkDriver(dialled, waker);
        right = new LinkDriver(two.takeAccepted(), waker);
    }

    @AfterEach
    void close() throws Exception {
        between.close();
        one.close();
        two.close();
    }

    @Test
    void aResetInTheMiddleOfAFrameEndsBothEndsAndGivesMemoryBack() throws Exception {
        long pending = fill();
        between.reset();
        LinkDriver.drive(() -> left.link().isClosed() && right.link().isClosed(), left, right);
        assertThat(left.told()).hasSize((int) pending);
        assertThat(left.link().closeCause()).contains("member 2", "connection");
        assertThat(right.link().closeCause()).contains("member 1", "connection");
    }

    @Test
    void aHalfClosedConnectionThatIsResetIsClosedAndCostsNothing() throws Exception {
        // Pitfall 47: a reset behind a half close was not noticed, and the loop ran for ever.
        between.halfClose();
        LinkDriver.drive(() -> right.link().isClosed(), right);
        between.reset();
        LinkDriver.drive(() -> left.link().isClosed(), left);
        long before = cpuNanos();
        waker.await(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300));
        assertThat(cpuNanos() - before).isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
    }

    /** Sends until the lane is full; nobody reads. */
    private long fill() {
        MemorySegment large = Arena.ofAuto().allocate(100_000);
        FrameHeader header = new FrameHeader().reset(FrameKind.DATA);
        long pending = 0;
        while (left.trySend(Lane.BULK, header, large, pending) == SendResult.PENDING) {
            pending++;
            left.link().flush();
        }
        return pending;
    }

    /** Processor time of both endpoints' threads. */
    private static long cpuNanos() {
        var threads = ManagementFactory.getThreadMXBean();
        long nanos = 0;
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().startsWith("tcp-")) {
                nanos += Math.max(0, threads.getThreadCpuTime(id));
            }
        }
        return nanos;
    }
}
