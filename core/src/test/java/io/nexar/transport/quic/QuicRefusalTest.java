package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.util.concurrent.Future;
import io.nexar.MemberId;
import io.nexar.RendezvousException;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkDriver;
import io.nexar.transport.Waker;
import io.nexar.transport.net.SocketAddresses;
import io.nexar.transport.quic.QuicMembers.Job;
import io.nexar.transport.quic.QuicMembers.Member;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Who must not get a link gets none, both sides are told why, and an honest link of the same
 * endpoint works on.
 */
@ExtendWith(LeakCheck.class)
class QuicRefusalTest {
    private static final long STRANGER_MILLIS = 1_000;

    private final Job job = new Job("honest");
    private final Waker waker = new Waker();
    private Member one;
    private Member two;
    private LinkDriver honest;
    private LinkDriver honestOther;

    @BeforeEach
    void linkTwoHonestMembers() throws Exception {
        one = new Member(QuicMembers.settings(1, job.identity(1), waker));
        two =
                new Member(
                        QuicMembers.settings(2, job.identity(2), peer -> peer.id() != 66, waker),
                        4,
                        STRANGER_MILLIS);
        honest = new LinkDriver(QuicMembers.dial(one, two), waker);
        honestOther = new LinkDriver(two.takeAccepted(), waker);
    }

    @AfterEach
    void theHonestLinkStillWorks() {
        int before = honestOther.arrived().size();
        FrameHeader header = new FrameHeader().reset(FrameKind.MESSAGE).tag(before);
        honest.send(Lane.MESSAGE, header, MemorySegment.ofArray(new byte[100]), 0);
        LinkDriver.drive(() -> honestOther.arrived().size() > before, honest, honestOther);
        assertThat(honestOther.arrived().getLast().header().tag()).isEqualTo(before);
        assertThat(two.accepted).as("links nobody should have").isEmpty();
        one.close();
        two.close();
    }

    @Test
    void aDiallerOfAnotherJobTrustsNobodyHereAndSaysSo() {
        try (Member stranger =
                new Member(QuicMembers.settings(7, new Job("other").identity(7), () -> {}))) {
            assertThatThrownBy(() -> QuicMembers.dial(stranger, two))
                    .hasCauseInstanceOf(RendezvousException.class)
                    .hasMessageContaining("not signed by the authority of job other");
            assertThat(two.takeRefused()).contains("does not accept this member's certificate");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCertificateOfAnotherJobIsRefusedEvenIfItsOwnerTrustsAnybody() throws Exception {
        try (Rogue rogue = new Rogue(new Job("other").identity(7), QuicCodecs.PROTOCOL)) {
            rogue.connect(accepting());
            assertThat(rogue.takeEnd()).contains("does not accept this member's certificate");
            assertThat(two.takeRefused()).contains("not signed by the authority of job honest");
        }
    }

    @Test
    void aMemberThatIsNotTheOneThatWasDialledIsNamed() throws Exception {
        CompletableFuture<Link> dial =
                one.endpoint.connect(
                        new MemberId(3), two.endpoint.address(), QuicMembers.TIMEOUT_NANOS);
        assertThatThrownBy(() -> dial.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining("expected member 3 of job honest")
                .hasMessageContaining("the peer is member 2 of job honest")
                .hasMessageContaining(SocketAddresses.format(accepting()));
        assertThat(two.takeRefused()).contains("expected member 3");
    }

    @Test
    void aNodeOfThisJobThatIsNoMemberIsToldSo() throws Exception {
        try (Member former = new Member(QuicMembers.settings(66, job.identity(66), () -> {}))) {
            assertThatThrownBy(() -> QuicMembers.dial(former, two))
                    .hasCauseInstanceOf(RendezvousException.class)
                    .hasMessageContaining("member 66 is no member for member 2");
            assertThat(two.takeRefused()).contains("member 66 is no member");
        }
    }

    @Test
    void aPeerWithoutACertificateIsRefused() throws Exception {
        try (Rogue rogue = new Rogue(null, QuicCodecs.PROTOCOL)) {
            rogue.connect(accepting());
            assertThat(rogue.takeEnd()).contains("wants a certificate and got none");
            assertThat(two.takeRefused()).containsIgnoringCase("certificate");
        }
    }

    @Test
    void anotherProtocolVersionIsRefusedInTheHandshake() throws Exception {
        try (Rogue rogue = new Rogue(job.identity(9), "nexar/2")) {
            assertThat(rogue.connect(accepting()).isSuccess()).isFalse();
            assertThat(rogue.takeEnd()).contains("another protocol version than nexar/1");
            assertThat(two.takeRefused()).isNotBlank();
        }
    }

    @Test
    void aStreamThatBeginsWithAnythingButAHelloIsRefused() throws Exception {
        try (Rogue rogue = new Rogue(job.identity(9), QuicCodecs.PROTOCOL)) {
            QuicStreamChannel stream = Rogue.open(rogue.connect(accepting()).get());
            stream.writeAndFlush(Unpooled.copyInt(0x47455420));
            assertThat(rogue.takeEnd()).contains("begins with 47 45 instead of a hello");
            assertThat(two.takeRefused()).contains("instead of a hello");
        }
    }

    @Test
    void aSecondStreamForOneLaneIsRefused() throws Exception {
        try (Rogue rogue = new Rogue(job.identity(9), QuicCodecs.PROTOCOL)) {
            QuicChannel channel = rogue.connect(accepting()).get();
            Rogue.open(channel).writeAndFlush(Hello.of(1));
            Rogue.open(channel).writeAndFlush(Hello.of(1));
            assertThat(rogue.takeEnd()).contains("not its turn");
            assertThat(two.takeRefused()).contains("not its turn");
        }
    }

    @Test
    void aLinkHasFourStreamsAndNeverAFifth() throws Exception {
        // Pitfall 62: a stream above the limit is the opener's error; the connection lives.
        try (Rogue rogue = new Rogue(job.identity(9), QuicCodecs.PROTOCOL)) {
            QuicChannel channel = rogue.connect(accepting()).get();
            List<QuicStreamChannel> streams = openLanes(channel);
            Link link = two.takeAccepted();
            Future<QuicStreamChannel> fifth =
                    channel.createStream(
                                    io.netty.handler.codec.quic.QuicStreamType.BIDIRECTIONAL,
                                    new UnusedStreamHandler())
                            .awaitUninterruptibly();
            assertThat(fifth.isSuccess()).isFalse();
            assertThat(link.closeCause()).isNull();
            assertThat(streams).allMatch(QuicStreamChannel::isActive);
            link.close("the test is over");
        }
    }

    @Test
    void aLaneThatThePeerHalfClosesEndsTheLink() throws Exception {
        // Pitfall 67: no stream stays half open, and none outlives its link.
        try (Rogue rogue = new Rogue(job.identity(9), QuicCodecs.PROTOCOL)) {
            List<QuicStreamChannel> streams = openLanes(rogue.connect(accepting()).get());
            LinkDriver driver = new LinkDriver(two.takeAccepted(), waker);
            streams.get(Lane.BULK.ordinal()).shutdownOutput();
            LinkDriver.drive(() -> driver.link().isClosed(), driver);
            assertThat(driver.link().closeCause()).contains("BULK", "ended by the peer");
            assertThat(rogue.takeEnd()).contains("BULK");
        }
    }

    @Test
    void aFrameThatIsNoFrameClosesItsLinkOnly() throws Exception {
        try (Rogue rogue = new Rogue(job.identity(9), QuicCodecs.PROTOCOL)) {
            List<QuicStreamChannel> streams = openLanes(rogue.connect(accepting()).get());
            LinkDriver driver = new LinkDriver(two.takeAccepted(), waker);
            streams.get(0).writeAndFlush(Unpooled.wrappedBuffer(new byte[40]));
            assertThatThrownBy(() -> LinkDriver.drive(() -> driver.link().isClosed(), driver))
                    .isInstanceOf(io.nexar.ProtocolException.class)
                    .hasMessageContaining("unknown frame kind 0");
            assertThat(driver.link().isClosed()).isTrue();
            assertThat(rogue.takeEnd()).contains("unknown frame kind 0");
        }
    }

    @Test
    void aConnectionThatSaysNothingIsDroppedAndOnlySoManyAreKept() throws Exception {
        // Pitfall 40: a peer that connects and goes silent before its first frame.
        List<Rogue> rogues = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Rogue rogue = new Rogue(job.identity(20 + i), QuicCodecs.PROTOCOL);
            rogues.add(rogue);
            rogue.connect(accepting());
        }
        for (Rogue rogue : rogues) {
            assertThat(rogue.takeEnd()).isNotBlank();
        }
        for (int i = 0; i < 4; i++) {
            assertThat(two.takeRefused()).contains("no link within " + STRANGER_MILLIS + " ms");
        }
        rogues.forEach(Rogue::close);
    }

    private List<QuicStreamChannel> openLanes(QuicChannel channel) {
        List<QuicStreamChannel> streams = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            QuicStreamChannel stream = Rogue.open(channel);
            stream.writeAndFlush(Hello.of(lane.ordinal()));
            streams.add(stream);
        }
        return streams;
    }

    private InetSocketAddress accepting() {
        return SocketAddresses.parse(two.endpoint.address().candidates().getFirst());
    }
}
