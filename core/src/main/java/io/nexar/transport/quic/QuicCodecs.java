package io.nexar.transport.quic;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.quic.FlushStrategy;
import io.netty.handler.codec.quic.QuicChannelOption;
import io.netty.handler.codec.quic.QuicClientCodecBuilder;
import io.netty.handler.codec.quic.QuicCodecBuilder;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.ssl.ClientAuth;
import io.nexar.security.AddressTokens;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Lane;
import io.nexar.transport.net.TrustWitness;
import io.nexar.wire.FrameHeader;

import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How Nexar sets QUIC up: TLS 1.3 with both certificates, Retry before any state, no early data (it
 * can be replayed), no migration (members do not move), and windows on both sides, since Netty
 * starts with everything closed.
 */
final class QuicCodecs {
    /** ALPN: two versions that can't talk do not get through the handshake. */
    static final String PROTOCOL = "nexar/" + FrameHeader.PROTOCOL_VERSION;

    /**
     * Ten minutes: this is no detector, for membership notices deaths within seconds by other
     * means. It only frees what nobody else does, and must outlast a suspended laptop's sleep.
     */
    static final long IDLE_SECONDS_MAX = 600;

    /** For links that carry no heartbeats: nine may be lost in a row. */
    static final long KEEP_ALIVE_SECONDS = 60;

    /**
     * What is read at once: from a few control frames to half of a long piece, so that a piece lies
     * in few buffers.
     */
    private static final AdaptiveRecvByteBufAllocator READ_SIZES =
            new AdaptiveRecvByteBufAllocator(512, 2048, 128 * 1024);

    /**
     * Datagrams go to the kernel together once they are so many bytes: eight large ones. Fewer cost
     * the receiver a wake-up and an acknowledgement each; more, and it starts late.
     */
    private static final int FLUSH_BYTES = 128_000;

    /** Heartbeats that wait to be sent or read: a few, for the next ones say the same. */
    private static final int DATAGRAM_QUEUE = 16;

    private final EndpointSettings settings;
    private final TrustWitness trust;
    private final long connectionWindowBytes;
    private final int datagramBytes;
    private final Segments segments;

    QuicCodecs(EndpointSettings settings, TrustWitness trust) {
        this.settings = settings;
        this.trust = trust;
        this.connectionWindowBytes = settings.config().bytes("nexar.quic.connectionWindow");
        this.datagramBytes = DatagramSize.of(settings.config(), settings.bind());
        this.segments = new Segments(datagramBytes);
    }

    int datagramBytes() {
        return datagramBytes;
    }

    /** For the sockets and all connections of the endpoint. */
    Segments segments() {
        return segments;
    }

    ChannelHandler acceptor(ChannelHandler connections, LongSupplier nanoClock) {
        QuicSslContext tls =
                QuicSslContextBuilder.forServer(
                                settings.requireIdentity().key(),
                                null,
                                settings.requireIdentity().certificate())
                        .trustManager(trust)
                        .clientAuth(ClientAuth.REQUIRE)
                        .applicationProtocols(PROTOCOL)
                        .earlyData(false)
                        .build();
        AddressTokens tokens = new AddressTokens(new SecureRandom());
        return common(new QuicServerCodecBuilder())
                .sslEngineProvider(channel -> QuicEngines.make(tls, channel))
                .initialMaxStreamsBidirectional(Lane.COUNT)
                .tokenHandler(new RetryTokens(tokens, nanoClock))
                .handler(connections)
                .option(QuicChannelOption.SEGMENTED_DATAGRAM_PACKET_ALLOCATOR, segments)
                .streamOption(ChannelOption.RECVBUF_ALLOCATOR, READ_SIZES)
                .streamHandler(new UnusedStreamHandler())
                .build();
    }

    ChannelHandler dialler() {
        QuicSslContext tls =
                QuicSslContextBuilder.forClient()
                        .keyManager(
                                settings.requireIdentity().key(),
                                null,
                                settings.requireIdentity().certificate())
                        .trustManager(trust)
                        .applicationProtocols(PROTOCOL)
                        .earlyData(false)
                        .build();
        return common(new QuicClientCodecBuilder())
                .sslEngineProvider(channel -> QuicEngines.make(tls, channel))
                .initialMaxStreamsBidirectional(0)
                .build();
    }

    static AdaptiveRecvByteBufAllocator readSizes() {
        return READ_SIZES;
    }

    /**
     * One lane may fill an eighth of the connection's window, so that all four together leave half
     * of it free: a lane that is not read never closes the window of another.
     */
    private <B extends QuicCodecBuilder<B>> B common(B builder) {
        long laneWindowBytes = connectionWindowBytes / (2L * Lane.COUNT);
        return builder.maxIdleTimeout(IDLE_SECONDS_MAX, TimeUnit.SECONDS)
                .initialMaxData(connectionWindowBytes)
                .initialMaxStreamDataBidirectionalLocal(laneWindowBytes)
                .initialMaxStreamDataBidirectionalRemote(laneWindowBytes)
                .initialMaxStreamDataUnidirectional(0)
                .initialMaxStreamsUnidirectional(0)
                .flushStrategy(FlushStrategy.afterNumBytes(FLUSH_BYTES))
                .maxSendUdpPayloadSize(datagramBytes)
                .maxRecvUdpPayloadSize(datagramBytes)
                .discoverPmtu(true)
                .activeMigration(false)
                .datagram(DATAGRAM_QUEUE, DATAGRAM_QUEUE);
    }
}
