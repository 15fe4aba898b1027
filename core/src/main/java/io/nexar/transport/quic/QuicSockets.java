package io.nexar.transport.quic;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollChannelOption;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.net.FreePorts;
import io.nexar.transport.net.SocketLoop;

import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.List;

/**
 * The two UDP sockets of a process, since Netty's server codec cannot dial: one accepts, one dials.
 * Every link uses one of them, so the number of ports does not grow with the number of peers.
 */
record QuicSockets(Channel accepting, Channel dialling) {
    private static final System.Logger LOG = System.getLogger(QuicSockets.class.getName());

    /** What a peer sends in 4 ms at 1 GB/s, while the event loop does something else. */
    private static final int SOCKET_BUFFER_BYTES = 4 << 20;

    /** Datagrams taken by one system call. */
    private static final int DATAGRAMS_PER_READ = 16;

    static QuicSockets bind(
            EndpointSettings settings, SocketLoop loop, int datagramBytes, Codecs codecs) {
        InetAddress address = settings.bind();
        if (address.isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    address + " is no address that peers can dial; bind to one interface's");
        }
        FreePorts ports = new FreePorts(address, settings.config().ports("nexar.ports"));
        Bootstrap bootstrap = bootstrap(loop, datagramBytes);
        Channel accepting = ports.bind(local -> bind(bootstrap, codecs, codecs.acceptor(), local));
        try {
            Channel dialling =
                    ports.bind(local -> bind(bootstrap, codecs, codecs.dialler(), local));
            tellBuffers(accepting);
            return new QuicSockets(accepting, dialling);
        } catch (RuntimeException e) {
            accepting.close().awaitUninterruptibly();
            throw e;
        }
    }

    /** Makes a fresh codec for each try to bind. */
    interface Codecs {
        ChannelHandler acceptor();

        ChannelHandler dialler();

        /** What lies between a socket and its codec, in both ways. */
        List<ChannelHandler> between();

        /** Takes what fails in the socket. */
        ChannelHandler failures();
    }

    private static ChannelFuture bind(
            Bootstrap bootstrap, Codecs codecs, ChannelHandler codec, SocketAddress at) {
        return bootstrap
                .clone()
                .handler(
                        new ChannelInitializer<Channel>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                codecs.between().forEach(channel.pipeline()::addLast);
                                channel.pipeline().addLast(codec, codecs.failures());
                            }
                        })
                .bind(at);
    }

    private static Bootstrap bootstrap(SocketLoop loop, int datagramBytes) {
        Bootstrap bootstrap =
                new Bootstrap()
                        .group(loop.loop())
                        .channel(SocketLoop.datagramType())
                        .option(ChannelOption.SO_RCVBUF, SOCKET_BUFFER_BYTES)
                        .option(ChannelOption.SO_SNDBUF, SOCKET_BUFFER_BYTES)
                        .option(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new FixedRecvByteBufAllocator(datagramBytes * DATAGRAMS_PER_READ));
        if (SocketLoop.isEpoll()) {
            bootstrap.option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, datagramBytes);
        }
        return bootstrap;
    }

    /** The kernel caps buffers silently (net.core.rmem_max). */
    private static void tellBuffers(Channel channel) {
        Integer got = channel.config().getOption(ChannelOption.SO_RCVBUF);
        LOG.log(
                System.Logger.Level.DEBUG,
                "UDP receive buffer: asked for {0} bytes, got {1}",
                SOCKET_BUFFER_BYTES,
                got);
    }

    /** Returns at once; both are closed in the event loop. */
    void close() {
        accepting.close();
        dialling.close();
    }
}
