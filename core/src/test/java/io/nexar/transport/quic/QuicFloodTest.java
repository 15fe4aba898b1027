package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamType;
import io.netty.util.concurrent.Future;
import io.nexar.transport.Link;
import io.nexar.transport.LinkDriver;
import io.nexar.transport.Waker;
import io.nexar.transport.quic.QuicMembers.Job;
import io.nexar.transport.quic.QuicMembers.Member;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A valid member that sends more than it should of what QUIC lets it send. Pitfall 89: such floods
 * of a valid peer made memory grow without end. Those of QUIC's own frames (connection ids, path
 * challenges) are bounded inside quiche, which a version gate holds to a repaired one; these are
 * ours.
 */
@ExtendWith(LeakCheck.class)
class QuicFloodTest {

    private static final int FLOOD = 5_000;

    /** A few buffers of what is read at once, and what the allocator keeps for the next. */
    private static final long GROWTH_MAX_BYTES = 4 << 20;

    private final Waker waker = new Waker();
    private final Job job = new Job("flood");
    private Member member;
    private Rogue rogue;
    private QuicChannel channel;
    private Link link;

    @BeforeEach
    void link() throws Exception {
        member = new Member(QuicMembers.settings(1, job.identity(1), waker));
        rogue = new Rogue(job.identity(2), QuicCodecs.PROTOCOL);
        channel = rogue.connect(member);
        Rogue.openLanes(channel);
        link = member.takeAccepted();
    }

    @AfterEach
    void close() {
        rogue.close();
        member.close();
    }

    @Test
    void aFloodOfHeartbeatsTakesNoMemoryAndTheLinkGoesOn() throws Exception {
        long before = directBytes();
        AtomicInteger heard = new AtomicInteger();
        link.onHeartbeat(payload -> heard.incrementAndGet());
        int bytes = 1 + Link.HEARTBEAT_BYTES_MAX;
        for (int i = 0; i < FLOOD; i++) {
            channel.writeAndFlush(
                            Unpooled.directBuffer(bytes, bytes)
                                    .writeByte(1)
                                    .writeZero(Link.HEARTBEAT_BYTES_MAX))
                    .await(5, TimeUnit.SECONDS);
        }
        assertThat(heard.get()).as("heard, in spite of loss").isGreaterThan(FLOOD / 2);
        assertThat(directBytes() - before).isLessThan(GROWTH_MAX_BYTES);
        assertThat(link.closeCause()).isNull();
    }

    @Test
    void aDatagramThatIsNoneOfOursEndsTheLink() {
        channel.writeAndFlush(Unpooled.directBuffer(9, 9).writeByte(77).writeZero(8));
        LinkDriver driver = new LinkDriver(link, waker);
        LinkDriver.drive(link::isClosed, driver);
        assertThat(link.closeCause()).contains("none of ours");
    }

    @Test
    void moreStreamsThanLanesCantBeOpened() throws Exception {
        long before = directBytes();
        for (int i = 0; i < 200; i++) {
            Future<QuicStreamChannel> surplus =
                    channel.createStream(QuicStreamType.BIDIRECTIONAL, new UnusedStreamHandler());
            surplus.await(5, TimeUnit.SECONDS);
            assertThat(surplus.isSuccess()).isFalse();
        }
        assertThat(directBytes() - before).isLessThan(GROWTH_MAX_BYTES);
        assertThat(link.closeCause()).isNull();
    }

    private long directBytes() {
        return ((ByteBufAllocatorMetricProvider) channel.alloc()).metric().usedDirectMemory();
    }
}
