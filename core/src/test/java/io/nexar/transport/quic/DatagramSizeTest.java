package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.socket.DatagramPacket;
import io.nexar.NexarConfig;
import io.nexar.transport.Lane;
import io.nexar.transport.LinkDriver;
import io.nexar.transport.SendResult;
import io.nexar.transport.Waker;
import io.nexar.transport.quic.QuicMembers.Job;
import io.nexar.transport.quic.QuicMembers.Member;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** How large datagrams get: as large as the path has shown that it takes, no larger. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class DatagramSizeTest {
    private static final InetAddress IPV4 = InetAddress.ofLiteral("10.0.0.7");
    private static final InetAddress IPV6 = InetAddress.ofLiteral("fd00::7");

    @Test
    void theBoundIsWhatFitsTheInterface() {
        assertThat(DatagramSize.fitting(1500, IPV4)).isEqualTo(1472);
        assertThat(DatagramSize.fitting(1500, IPV6)).isEqualTo(1452);
        assertThat(DatagramSize.fitting(9000, IPV4)).isEqualTo(8972);
        assertThat(DatagramSize.fitting(65_536, IPV4)).isEqualTo(16_000);
        assertThat(DatagramSize.fitting(0, IPV4)).as("unknown").isEqualTo(1200);
        NexarConfig set = NexarConfig.defaults().with("nexar.quic.maxDatagramBytes", "4000");
        assertThat(DatagramSize.of(set, InetAddress.getLoopbackAddress())).isEqualTo(4000);
    }

    @Test
    void datagramsGrowToWhatThePathTakes() throws Exception {
        assertThat(largestOver(20_000)).isBetween(15_000, DatagramSize.USEFUL_BYTES_MAX);
    }

    @Test
    void aPathThatSwallowsLargeDatagramsGetsNoneButProbes() throws Exception {
        // Pitfall 56: small first packets passed, larger ones vanished, and nobody was told.
        assertThat(largestOver(1280 - 48)).isBetween(1200, 1280 - 48);
    }

    /** The largest datagram that came through as 4 MiB were sent. */
    private static int largestOver(int bytesMax) throws Exception {
        Waker waker = new Waker();
        Job job = new Job("sizes");
        try (Member one = new Member(QuicMembers.settings(1, job.identity(1), waker));
                Member two = new Member(QuicMembers.settings(2, job.identity(2), waker))) {
            NarrowWire wire = new NarrowWire(bytesMax);
            wire.putInto(one);
            LinkDriver sender = new LinkDriver(QuicMembers.dial(one, two), waker);
            LinkDriver receiver = new LinkDriver(two.takeAccepted(), waker);
            int frames = 64;
            MemorySegment payload = MemorySegment.ofArray(new byte[64 << 10]);
            FrameHeader header = new FrameHeader().reset(FrameKind.DATA);
            for (int sent = 0; sent < frames; ) {
                if (sender.trySend(Lane.BULK, header, payload, 0) == SendResult.REFUSED) {
                    LinkDriver.driveOnce(sender, receiver);
                } else {
                    sent++;
                }
            }
            LinkDriver.drive(() -> receiver.arrived().size() == frames, sender, receiver);
            return wire.largest.get();
        }
    }

    /** Lets datagrams up to a size through, and keeps the size of the largest of those. */
    private static final class NarrowWire extends LateWire {
        private final int bytesMax;
        private final AtomicInteger largest = new AtomicInteger();

        NarrowWire(int bytesMax) {
            super(0);
            this.bytesMax = bytesMax;
        }

        @Override
        boolean isLost(Way way, DatagramPacket datagram) {
            int bytes = datagram.content().readableBytes();
            if (bytes <= bytesMax && way == Way.LEAVING) {
                largest.accumulateAndGet(bytes, Math::max);
            }
            return bytes > bytesMax;
        }
    }
}
