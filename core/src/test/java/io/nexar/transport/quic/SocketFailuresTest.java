package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.nexar.transport.Lane;
import io.nexar.transport.LinkDriver;
import io.nexar.transport.Waker;
import io.nexar.transport.quic.QuicMembers.Job;
import io.nexar.transport.quic.QuicMembers.Member;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Memory that is short for a moment. */
@Timeout(60)
class SocketFailuresTest {
    @Test
    void aFailureThatRepeatsIsToldOnceASecond() {
        // Pitfall 95: the log of allocations that failed filled the disk.
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L); // and it wraps around
        List<String> told = new ArrayList<>();
        EmbeddedChannel channel = new EmbeddedChannel(new SocketFailures(now::get, told::add));
        for (int millis = 0; millis < 10_000; millis++) {
            channel.pipeline().fireExceptionCaught(new OutOfMemoryError("none left"));
            now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(told).hasSize(10);
        assertThat(told.getFirst()).contains("failed, 1 times", "none left");
        assertThat(told.get(1)).contains("failed, 1000 times");
        channel.finishAndReleaseAll();
    }

    @Test
    void aSocketThatFindsNoMemoryForAWhileLosesNothing() throws Exception {
        // Pitfall 95: an allocation failed, and the connection with it.
        Waker waker = new Waker();
        Job job = new Job("memory");
        try (Member one = new Member(QuicMembers.settings(1, job.identity(1), waker));
                Member two = new Member(QuicMembers.settings(2, job.identity(2), waker))) {
            LinkDriver sender = new LinkDriver(QuicMembers.dial(one, two), waker);
            LinkDriver receiver = new LinkDriver(two.takeAccepted(), waker);
            FailingAllocator failing = new FailingAllocator(100);
            Channel reading = one.endpoint.dialling();
            reading.config().setAllocator(failing);
            receiver.send(
                    Lane.BULK,
                    new FrameHeader().reset(FrameKind.DATA),
                    MemorySegment.ofArray(new byte[100_000]),
                    0);
            LinkDriver.drive(() -> sender.arrived().size() == 1, sender, receiver);
            assertThat(failing.failures.getCount()).isZero();
        }
    }

    /** Fails so many times, then gives memory. */
    private static final class FailingAllocator extends AbstractByteBufAllocator {
        private final CountDownLatch failures;

        FailingAllocator(int failures) {
            super(true);
            this.failures = new CountDownLatch(failures);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            if (failures.getCount() > 0) {
                failures.countDown();
                throw new OutOfMemoryError("injected");
            }
            return Unpooled.directBuffer(initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return Unpooled.buffer(initialCapacity, maxCapacity);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }
}
