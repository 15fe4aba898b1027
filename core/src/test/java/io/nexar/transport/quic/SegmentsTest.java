package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.Errors;
import io.netty.util.ReferenceCountUtil;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.List;

class SegmentsTest {
    private static final InetSocketAddress REMOTE = new InetSocketAddress("127.0.0.1", 9);

    @BeforeEach
    void needsAKernelThatCuts() {
        assumeTrue(new Segments(1200).maxNumSegments() > 0);
    }

    @Test
    void asManyGoTogetherAsFitIntoOneOfTheLargest() {
        assertThat(new Segments(16_000).maxNumSegments()).isEqualTo(4);
        assertThat(new Segments(1200).maxNumSegments()).isEqualTo(54);
        assertThat(new Segments(600).maxNumSegments()).isEqualTo(64);
        assertThat(new Segments(65_000).maxNumSegments()).isZero();
    }

    @Test
    void aKernelThatRefusesThemGetsDatagramsOneByOne() {
        Segments segments = new Segments(1200);
        EmbeddedChannel channel =
                new EmbeddedChannel(
                        failing(new Errors.NativeIoException("sendmmsg", -5)), segments);
        channel.writeOneOutbound(new DatagramPacket(Unpooled.wrappedBuffer(new byte[9]), REMOTE));
        assertThat(segments.maxNumSegments()).isEqualTo(54);
        channel.writeOneOutbound(
                segments.newPacket(Unpooled.wrappedBuffer(new byte[2400]), 1200, REMOTE));
        assertThat(segments.maxNumSegments()).isZero();
        channel.finishAndReleaseAll();
    }

    @Test
    void aSocketThatIsClosedAndAPeerThatIsGoneRefuseNothing() {
        Errors.NativeIoException gone =
                new Errors.NativeIoException("sendmmsg", Errors.ERROR_ECONNREFUSED_NEGATIVE);
        for (Exception failure : List.of(new ClosedChannelException(), gone)) {
            Segments segments = new Segments(1200);
            EmbeddedChannel channel = new EmbeddedChannel(failing(failure), segments);
            channel.writeOneOutbound(
                    segments.newPacket(Unpooled.wrappedBuffer(new byte[2400]), 1200, REMOTE));
            assertThat(segments.maxNumSegments()).isEqualTo(54);
            channel.finishAndReleaseAll();
        }
    }

    private static ChannelOutboundHandlerAdapter failing(Throwable cause) {
        return new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(
                    ChannelHandlerContext context, Object message, ChannelPromise promise) {
                ReferenceCountUtil.release(message);
                promise.setFailure(cause);
            }
        };
    }
}
