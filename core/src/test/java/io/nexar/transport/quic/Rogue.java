package io.nexar.transport.quic;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicClientCodecBuilder;
import io.netty.handler.codec.quic.QuicConnectionCloseEvent;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamType;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.concurrent.Future;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Lane;
import io.nexar.transport.net.SocketAddresses;
import io.nexar.transport.quic.QuicMembers.Member;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** A QUIC client that plays by no rules of ours: trusts anybody and says what the test wants. */
final class Rogue implements AutoCloseable {
    private final MultiThreadIoEventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel socket;
    private final CompletableFuture<String> ended = new CompletableFuture<>();

    Rogue(EndpointSettings.@Nullable Identity identity, String protocol) {
        QuicSslContextBuilder tls =
                QuicSslContextBuilder.forClient()
                        .trustManager(InsecureTrustManagerFactory.INSTANCE)
                        .applicationProtocols(protocol);
        if (identity != null) {
            tls.keyManager(new Insistent(identity), null);
        }
        QuicSslContext context = tls.build();
        socket =
                new Bootstrap()
                        .group(group)
                        .channel(NioDatagramChannel.class)
                        .handler(
                                new QuicClientCodecBuilder()
                                        .sslEngineProvider(
                                                channel -> context.newEngine(channel.alloc()))
                                        .initialMaxData(1 << 20)
                                        .initialMaxStreamDataBidirectionalLocal(1 << 18)
                                        .datagram(2, 2)
                                        .build())
                        .bind(new InetSocketAddress("127.0.0.1", 0))
                        .syncUninterruptibly()
                        .channel();
    }

    /** The handshake's result; one that the other side refuses may fail here, or later. */
    Future<QuicChannel> connect(InetSocketAddress to) {
        return QuicChannel.newBootstrap(socket)
                .handler(new Ears())
                .streamHandler(new UnusedStreamHandler())
                .remoteAddress(to)
                .connect()
                .awaitUninterruptibly();
    }

    /** Connects to a member that lets it in. */
    QuicChannel connect(Member to) {
        return connect(SocketAddresses.parse(to.endpoint.address().candidates().getFirst()))
                .getNow();
    }

    /** Why the other side ended the connection. */
    String takeEnd() throws Exception {
        return ended.get(20, TimeUnit.SECONDS);
    }

    /** Opens a stream for each lane, as a member would. */
    static QuicStreamChannel[] openLanes(QuicChannel channel) {
        QuicStreamChannel[] lanes = new QuicStreamChannel[Lane.COUNT];
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            lanes[lane] = open(channel);
            lanes[lane].writeAndFlush(Hello.of(lane)).syncUninterruptibly();
        }
        return lanes;
    }

    static QuicStreamChannel open(QuicChannel channel) {
        return channel.createStream(QuicStreamType.BIDIRECTIONAL, new UnusedStreamHandler())
                .syncUninterruptibly()
                .getNow();
    }

    /** Shows its certificate whatever authorities the server says it wants. */
    private static final class Insistent extends X509ExtendedKeyManager {
        private final EndpointSettings.Identity identity;

        Insistent(EndpointSettings.Identity identity) {
            this.identity = identity;
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[] {"it"};
        }

        @Override
        public String chooseClientAlias(
                String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return "it";
        }

        @Override
        public String chooseEngineClientAlias(
                String[] keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return "it";
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {identity.certificate()};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return identity.key();
        }
    }

    private final class Ears extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof QuicConnectionCloseEvent close) {
                ended.complete(CloseText.of(close));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            ended.complete("closed without a word");
        }
    }

    @Override
    public void close() {
        socket.close().awaitUninterruptibly();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
