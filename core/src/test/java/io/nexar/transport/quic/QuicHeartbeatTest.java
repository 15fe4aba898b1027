package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What travels beside the lanes, and what a peer hears that was given up. */
@ExtendWith(LeakCheck.class)
class QuicHeartbeatTest {
    private final Waker waker = new Waker();
    private Member one;
    private Member two;
    private LinkDriver dialled;
    private LinkDriver accepted;

    @BeforeEach
    void link() throws Exception {
        Job job = new Job("heartbeat");
        one = QuicMembers.tiny(job, 1, waker);
        two = QuicMembers.tiny(job, 2, waker);
        Link link = QuicMembers.dial(one, two);
        dialled = new LinkDriver(link, waker);
        accepted = new LinkDriver(two.takeAccepted(), waker);
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    @Test
    void heartbeatsPassWhileEveryLaneIsFullAndNobodyPolls() throws Exception {
        BlockingQueue<byte[]> heard = new LinkedBlockingQueue<>();
        accepted.link().onHeartbeat(heard::add);
        fillAllLanes();
        for (byte beat = 1; beat <= 5; beat++) {
            byte[] payload = new byte[Link.HEARTBEAT_BYTES_MAX];
            java.util.Arrays.fill(payload, beat);
            byte[] arrived = sendUntilHeard(dialled.link(), payload, heard);
            assertThat(arrived).isEqualTo(payload);
            heard.clear(); // what was sent again because the first took long
        }
    }

    @Test
    void bothSidesHearHeartbeatsAndNothingIsLeftForAPoll() throws Exception {
        BlockingQueue<byte[]> heard = new LinkedBlockingQueue<>();
        dialled.link().onHeartbeat(heard::add);
        assertThat(sendUntilHeard(accepted.link(), new byte[] {7, 8}, heard))
                .isEqualTo(new byte[] {7, 8});
        assertThat(dialled.link().isReady()).isFalse();
        assertThatThrownBy(
                        () -> dialled.link().sendHeartbeat(new byte[Link.HEARTBEAT_BYTES_MAX + 1]))
                .isInstanceOf(IllegalArgumentException.class);
        dialled.link().close("enough");
        assertThat(dialled.link().sendHeartbeat(new byte[1])).isFalse();
    }

    @Test
    void aPeerThatIsGivenUpLearnsItAndOneWhoseLinkOnlyClosesDoesNot() {
        assertThat(accepted.link().givenUpBecause()).isNull();
        dialled.link().giveUp("silent for 8.1 s");
        LinkDriver.drive(() -> accepted.link().isClosed(), accepted);
        assertThat(accepted.link().givenUpBecause()).isEqualTo("silent for 8.1 s");
        assertThat(accepted.link().closeCause()).contains("silent for 8.1 s");
        assertThat(dialled.link().givenUpBecause()).isNull();
    }

    @Test
    void aCloseOfAnyOtherKindIsNoVerdict() {
        dialled.link().close("the member was closed");
        LinkDriver.drive(() -> accepted.link().isClosed(), accepted);
        assertThat(accepted.link().givenUpBecause()).isNull();
        assertThat(accepted.link().closeCause()).contains("the member was closed");
    }

    @Test
    void aDatagramThatIsNoneOfOursIsRefused() {
        assertThat(Datagrams.receive(Unpooled.EMPTY_BUFFER, null)).isNull();
        assertThat(Datagrams.receive(Unpooled.wrappedBuffer(new byte[] {0}), null)).isNull();
        assertThat(Datagrams.receive(Unpooled.wrappedBuffer(new byte[] {2, 1}), null))
                .contains("kind 2");
        byte[] long1 = new byte[Link.HEARTBEAT_BYTES_MAX + 2];
        long1[0] = 1;
        assertThat(Datagrams.receive(Unpooled.wrappedBuffer(long1), null)).contains("66 bytes");
    }

    private void fillAllLanes() {
        MemorySegment payload = MemorySegment.ofArray(new byte[64 * 1024]);
        for (Lane lane : Lane.values()) {
            FrameHeader header = new FrameHeader().reset(FrameKind.DATA);
            while (dialled.trySend(lane, header, payload, 0) == SendResult.SENT) {
                dialled.link().flush();
            }
        }
    }

    /** It may get lost: that is allowed. Not ten times in a row, on a healthy loopback. */
    private static byte[] sendUntilHeard(Link link, byte[] payload, BlockingQueue<byte[]> heard)
            throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            link.sendHeartbeat(payload);
            byte[] arrived = heard.poll(2, TimeUnit.SECONDS);
            if (arrived != null) {
                return arrived;
            }
        }
        throw new AssertionError("no heartbeat arrives");
    }
}
