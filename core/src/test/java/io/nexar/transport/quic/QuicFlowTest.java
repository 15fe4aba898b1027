package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Windows far below a frame: every edge of flow control is met at once. */
@ExtendWith(LeakCheck.class)
class QuicFlowTest {
    private final Waker waker = new Waker();
    private Member one;
    private Member two;
    private LinkDriver sender;
    private LinkDriver receiver;

    @BeforeEach
    void link() throws Exception {
        Job job = new Job("flow");
        one = QuicMembers.tiny(job, 1, waker);
        two = QuicMembers.tiny(job, 2, waker);
        Link dialled = QuicMembers.dial(one, two);
        sender = new LinkDriver(dialled, waker);
        receiver = new LinkDriver(two.takeAccepted(), waker);
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    @Test
    void framesFourTimesTheWindowPassOnAllLanesAtOnce() {
        // Pitfall 64: a receiver that waits for a whole frame, a sender that waits for the window.
        int frames = 40;
        MemorySegment payload = MemorySegment.ofArray(new byte[FrameHeader.PAYLOAD_BYTES_MAX]);
        int[] received = new int[Lane.COUNT];
        receiver.handler((link, lane, header, bytes) -> {
            assertThat(header.sequence()).isEqualTo(received[lane.ordinal()]++);
            assertThat(bytes.byteSize()).isEqualTo(payload.byteSize());
        });
        int[] sent = new int[Lane.COUNT];
        LinkDriver.drive(
                () -> {
                    for (Lane lane : Lane.values()) {
                        int next = sent[lane.ordinal()];
                        if (next < frames
                                && sender.trySend(lane, header(next), payload, 0)
                                        == SendResult.SENT) {
                            sent[lane.ordinal()]++;
                        }
                    }
                    return java.util.Arrays.stream(received).sum() == frames * Lane.COUNT;
                },
                sender,
                receiver);
    }

    @Test
    void aSenderThatWasHeldBackOnAnIdleLinkIsWokenByTheFirstPoll() throws Exception {
        // Pitfall 65: window full, long silence, then a read that must set the sender going.
        int sent = 0;
        MemorySegment payload = MemorySegment.ofArray(new byte[64 * 1024]);
        long idleNanos =
                Boolean.getBoolean("nexar.test.full")
                        ? TimeUnit.SECONDS.toNanos(10)
                        : TimeUnit.MILLISECONDS.toNanos(500);
        long idleSince = System.nanoTime();
        while (System.nanoTime() - idleSince < idleNanos) {
            if (sender.trySend(Lane.BULK, header(sent), payload, 0) == SendResult.SENT) {
                sent++;
                idleSince = System.nanoTime();
            } else {
                sender.link().flush();
                waker.await(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
        int all = sent + 1;
        LinkDriver.drive(() -> receiver.arrived().size() > 0, receiver);
        sender.send(Lane.BULK, header(sent), payload, 0);
        LinkDriver.drive(() -> receiver.arrived().size() == all, sender, receiver);
        for (int i = 0; i < all; i++) {
            assertThat(receiver.arrived().get(i).header().sequence()).isEqualTo(i);
        }
    }

    @Test
    void anIdleLinkIsKeptAliveWithoutAnybodyPolling() throws Exception {
        // Every keep-alive is answered by QUIC itself; nothing piles up for a poll.
        sender.link().flush();
        two.endpoint.loop().submit(two.endpoint::keepAlive).get(5, TimeUnit.SECONDS);
        one.endpoint.loop().submit(one.endpoint::keepAlive).get(5, TimeUnit.SECONDS);
        sender.send(Lane.CONTROL, header(1), MemorySegment.ofArray(new byte[0]), 0);
        LinkDriver.drive(() -> receiver.arrived().size() == 1, sender, receiver);
        assertThat(sender.link().isReady()).isFalse();
        assertThat(receiver.link().closeCause()).isNull();
    }

    private static FrameHeader header(int number) {
        return new FrameHeader().reset(FrameKind.DATA).sequence(number);
    }
}
