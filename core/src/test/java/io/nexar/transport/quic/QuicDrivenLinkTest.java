package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkContractTest;
import io.nexar.transport.LinkPair;
import io.nexar.transport.Waker;
import io.nexar.transport.net.TurnKeeper;
import io.nexar.transport.quic.QuicMembers.Job;
import io.nexar.transport.quic.QuicMembers.Member;
import io.nexar.wire.FrameHeader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The contract where whoever polls drives the event loops, as in a rank whose callers wait. */
@ExtendWith(LeakCheck.class)
class QuicDrivenLinkTest extends LinkContractTest {
    @Override
    protected LinkPair open(Runnable leftWakeUp, Runnable rightWakeUp) throws Exception {
        Job job = new Job("driven");
        Member one = new Member(QuicMembers.settings(3, job.identity(3), leftWakeUp));
        Member two = new Member(QuicMembers.settings(5, job.identity(5), rightWakeUp));
        Link dialled = QuicMembers.dial(one, two);
        Link accepted = two.takeAccepted();
        ((DrivingWaker) leftWakeUp).keepers.add(one.endpoint.sleeper());
        ((DrivingWaker) rightWakeUp).keepers.add(two.endpoint.sleeper());
        return new LinkPair(dialled, accepted, () -> List.of(one, two).forEach(Member::close));
    }

    @Override
    protected Waker newWaker() {
        return new DrivingWaker();
    }

    @Override
    protected boolean isCloseSure() {
        return false;
    }

    @Override
    protected long unpolledBytesMax() {
        long window = io.nexar.NexarConfig.defaults().bytes("nexar.quic.connectionWindow") / 8;
        return OutgoingLane.IN_FLIGHT_BYTES_MAX + window + 2 * IncomingLane.QUEUED_BYTES_MAX;
    }

    @Test
    void aMemberThatHasDrivenAndThenComputesStillHearsHeartbeats() throws Exception {
        FrameHeader header = header(1);
        left.send(Lane.MESSAGE, header, pattern(100, 1), 1);
        left.link().flush();
        awaitReady(right);
        assertThat(right.poll()).isEqualTo(1);
        CountDownLatch heard = new CountDownLatch(3);
        right.link().onHeartbeat(bytes -> heard.countDown());
        while (!heard.await(20, TimeUnit.MILLISECONDS)) { // datagrams may be lost
            assertThat(left.link().sendHeartbeat(new byte[] {1})).isTrue();
        }
    }

    /** Waits as a leader does that still spins: by turns in each event loop. */
    private static final class DrivingWaker extends Waker {
        private final List<TurnKeeper> keepers = new CopyOnWriteArrayList<>();

        @Override
        public boolean await(long deadlineNanos) throws InterruptedException {
            keepers.forEach(TurnKeeper::prepare);
            while (!super.await(System.nanoTime())) {
                if (System.nanoTime() - deadlineNanos >= 0) {
                    return false;
                }
                keepers.forEach(TurnKeeper::tryPass);
                Thread.yield();
            }
            return true;
        }
    }
}
