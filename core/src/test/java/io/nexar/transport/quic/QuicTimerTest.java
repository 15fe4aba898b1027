package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DatagramPacket;
import io.nexar.MemberId;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkDriver;
import io.nexar.transport.Waker;
import io.nexar.transport.quic.QuicMembers.Job;
import io.nexar.transport.quic.QuicMembers.Member;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** A loss timer that comes due while the event loop is held up. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class QuicTimerTest {
    /** Bytes that are lost are found so an eighth of this after later ones are acknowledged. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final MemorySegment TWO_DATAGRAMS =
            MemorySegment.ofArray(new byte[DatagramSize.USEFUL_BYTES_MAX * 5 / 4]);

    @Test
    void whatWasLostIsSentAgainAlsoIfItsTimerCameDueBeforeASend() throws Exception {
        // Pitfall 59: after a loss the sender never sent again.
        Waker waker = new Waker();
        Job job = new Job("timer");
        try (Member one = new Member(QuicMembers.settings(1, job.identity(1), waker));
                Member two = new Member(QuicMembers.settings(2, job.identity(2), waker))) {
            HoldingWire wire = new HoldingWire();
            wire.putInto(one);
            Link dialled = QuicMembers.dial(one, two);
            LinkDriver sender = new LinkDriver(dialled, waker);
            LinkDriver receiver = new LinkDriver(two.takeAccepted(), waker);
            waitUntilQuiet(wire, waker);

            wire.state = State.LOSE_NEXT;
            sender.send(Lane.BULK, new FrameHeader().reset(FrameKind.DATA), TWO_DATAGRAMS, 0);
            LinkDriver.drive(() -> receiver.arrived().size() == 1, sender, receiver);

            assertThat(wire.state).isEqualTo(State.HELD);
        }
    }

    @Test
    void aConnectionIsClosedAtOnceAlsoIfATimerOfItsHandshakeIsDue() throws Exception {
        Job job = new Job("timer");
        List<Thread> loops = new CopyOnWriteArrayList<>();
        try (Member one = new Member(QuicMembers.settings(1, job.identity(1), keepingIn(loops)));
                Member two = new Member(QuicMembers.settings(2, job.identity(2), () -> {}))) {
            DoneLosingWire wire = new DoneLosingWire();
            wire.putInto(one);
            one.endpoint.connect(
                    new MemberId(2), two.endpoint.address(), TimeUnit.SECONDS.toNanos(60));
            assertThat(wire.isHeldUp.await(20, TimeUnit.SECONDS)).isTrue();
            one.close();
            assertThat(loops).hasSize(1);
            assertThat(loops.getFirst().join(Duration.ofSeconds(10)))
                    .as("the event loop has ended")
                    .isTrue();
        }
    }

    private static ThreadFactory keepingIn(List<Thread> made) {
        return task -> {
            Thread thread = new Thread(task, "quic-kept");
            made.add(thread);
            return thread;
        };
    }

    private static void waitUntilQuiet(HoldingWire wire, Waker waker) throws Exception {
        long quietNanos = 3 * LATE_NANOS;
        while (System.nanoTime() - wire.lastNanos < quietNanos) {
            waker.await(wire.lastNanos + quietNanos);
        }
    }

    /** In the event loop, which does nothing else meanwhile. */
    private static void holdUp(long nanos) {
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    private enum State {
        QUIET,
        LOSE_NEXT,
        LOST,
        FOLLOWED,
        HELD
    }

    /**
     * Loses one datagram. When the next one is acknowledged, holds up the event loop until the
     * timer of the lost one is due; then the acknowledgement arrives a second time, for which there
     * is nothing to send.
     */
    private static final class HoldingWire extends LateWire {
        private volatile State state = State.QUIET;
        private volatile long lastNanos = System.nanoTime();

        HoldingWire() {
            super(LATE_NANOS);
        }

        @Override
        boolean isLost(Way way, DatagramPacket datagram) {
            lastNanos = System.nanoTime();
            if (way == Way.LEAVING && state == State.LOSE_NEXT) {
                state = State.LOST;
                return true;
            }
            if (way == Way.LEAVING && state == State.LOST) {
                state = State.FOLLOWED;
            }
            return false;
        }

        @Override
        void onTaken(ChannelHandlerContext context, DatagramPacket copy) {
            lastNanos = System.nanoTime();
            if (state == State.FOLLOWED) {
                state = State.HELD;
                holdUp(2 * LATE_NANOS);
                deliver(context, copy.retain());
            }
        }
    }

    /**
     * Loses the first datagram in which the acceptor says that the handshake is done. When the
     * second one has made the dialler believe so too, holds up the event loop until the timer of
     * what the dialler sent last in its handshake is due; what is asked of the loop meanwhile comes
     * before that timer.
     */
    private static final class DoneLosingWire extends LateWire {
        private final CountDownLatch isHeldUp = new CountDownLatch(1);
        private int doneCount;

        DoneLosingWire() {
            super(LATE_NANOS);
        }

        @Override
        boolean isLost(Way way, DatagramPacket datagram) {
            boolean isShort = datagram.content().getByte(datagram.content().readerIndex()) >= 0;
            return way == Way.ARRIVING && isShort && ++doneCount != 2;
        }

        @Override
        void onTaken(ChannelHandlerContext context, DatagramPacket copy) {
            if (doneCount >= 2 && isHeldUp.getCount() > 0) {
                isHeldUp.countDown();
                // Twice and more of what a timer has that was set after one round trip.
                holdUp(8 * LATE_NANOS);
            }
        }
    }
}
