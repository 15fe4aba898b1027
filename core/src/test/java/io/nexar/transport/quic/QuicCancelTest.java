package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.quic.QuicStreamChannel;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkDriver;
import io.nexar.transport.SendResult;
import io.nexar.transport.Waker;
import io.nexar.transport.quic.QuicMembers.Job;
import io.nexar.transport.quic.QuicMembers.Member;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/** A member that takes back what it opened: a lane it stops reading, or ends. */
@ExtendWith(LeakCheck.class)
class QuicCancelTest {

    /** Promised: no sender waits longer than this for a stream that nobody reads any more. */
    private static final long TOLD_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Waker waker = new Waker();
    private final Job job = new Job("cancel");
    private Member member;
    private Rogue rogue;
    private QuicStreamChannel[] lanes;
    private LinkDriver sender;

    @BeforeEach
    void link() throws Exception {
        member = new Member(QuicMembers.settings(1, job.identity(1), waker));
        rogue = new Rogue(job.identity(2), QuicCodecs.PROTOCOL);
        lanes = Rogue.openLanes(rogue.connect(member));
        Link link = member.takeAccepted();
        sender = new LinkDriver(link, waker);
    }

    @AfterEach
    void close() {
        rogue.close();
        member.close();
    }

    @Test
    void aSenderWhoseLaneIsCancelledWhileItIsIdleIsToldByItsNextFrames() throws Exception {
        // Pitfall 61: the peer stopped reading a stream, and an idle sender was never told. One
        // that stays idle is not told by Netty either, but it waits for nothing.
        lanes[Lane.BULK.ordinal()].shutdownInput().syncUninterruptibly();
        long start = System.nanoTime();
        MemorySegment payload = MemorySegment.ofArray(new byte[1000]);
        for (int i = 0; !sender.link().isClosed(); i++) {
            // A frame may still overtake the news; the one after it can't.
            sender.trySend(Lane.BULK, header(i), payload, 0);
            sender.link().flush();
            sender.poll();
            waker.await(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20));
            assertThat(System.nanoTime() - start).isLessThan(TOLD_WITHIN_NANOS);
        }
        assertThat(sender.link().closeCause()).contains("stream");
    }

    @Test
    void aSenderThatIsHeldBackIsToldThatItsLaneIsCancelled() {
        // Pitfall 61: its write never completed, nor failed.
        fill();
        long start = System.nanoTime();
        lanes[Lane.BULK.ordinal()].shutdownInput().syncUninterruptibly();
        LinkDriver.drive(() -> sender.link().isClosed(), sender);
        assertThat(System.nanoTime() - start).isLessThan(TOLD_WITHIN_NANOS);
        assertThat(sender.link().closeCause()).contains("stream");
    }

    @Test
    void aLaneThatIsHalfClosedBothWaysEndsTheLink() {
        // Pitfall 61: after both half-closes a write neither completed nor failed.
        fill();
        long start = System.nanoTime();
        lanes[Lane.BULK.ordinal()].shutdownOutput().syncUninterruptibly();
        lanes[Lane.BULK.ordinal()].shutdownInput().syncUninterruptibly();
        LinkDriver.drive(() -> sender.link().isClosed(), sender);
        assertThat(System.nanoTime() - start).isLessThan(TOLD_WITHIN_NANOS);
        assertThat(sender.link().closeCause()).contains("lane BULK");
    }

    @Test
    void theOtherMembersAreNotHarmed() throws Exception {
        lanes[Lane.CONTROL.ordinal()].shutdown().syncUninterruptibly();
        LinkDriver.drive(() -> sender.link().isClosed(), sender);
        try (Member honest = new Member(QuicMembers.settings(3, job.identity(3), waker))) {
            LinkDriver dialled = new LinkDriver(QuicMembers.dial(honest, member), waker);
            LinkDriver accepted = new LinkDriver(member.takeAccepted(), waker);
            dialled.send(Lane.BULK, header(1), MemorySegment.ofArray(new byte[100]), 0);
            LinkDriver.drive(() -> accepted.arrived().size() == 1, dialled, accepted);
        }
    }

    private void fill() {
        MemorySegment payload = MemorySegment.ofArray(new byte[64 * 1024]);
        int sent = 0;
        while (sender.trySend(Lane.BULK, header(sent), payload, 0) == SendResult.SENT) {
            sender.link().flush();
            sent++;
        }
        assertThat(sent).isPositive();
    }

    private static FrameHeader header(int number) {
        return new FrameHeader().reset(FrameKind.DATA).sequence(number);
    }
}
