package io.nexar.transport.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;

/**
 * Accepts control connections on one port, in one thread.
 *
 * <p>NIO and the JDK's TLS: a few small messages a second need no natives, and a seed or launcher
 * starts sooner without unpacking them.
 */
public final class ControlServer implements AutoCloseable {

    /**
     * All ranks of a big job may dial in the same moment; the kernel caps it (net.core.somaxconn).
     */
    private static final int BACKLOG = 4096;

    /** How long a close waits for peers to read their last message. */
    private static final long CLOSE_MILLIS = 1_500;

    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;
    private final Channel listening;
    private final ChannelGroup accepted;

    private ControlServer(
            MultiThreadIoEventLoopGroup group, Channel listening, ChannelGroup accepted) {
        this.group = group;
        this.loop = listening.eventLoop();
        this.listening = listening;
        this.accepted = accepted;
    }

    /**
     * Binds and begins to accept. The socket that is bound is the one that accepts: nobody can take
     * a port between.
     *
     * @param engines makes a server engine for each connection
     * @param listener also bounds how many connections there are, and how long each may say nothing
     * @throws ControlFailure if the address can't be bound
     */
    public static ControlServer start(
            InetSocketAddress bind,
            Supplier<SSLEngine> engines,
            ThreadFactory threads,
            ControlListener listener) {
        MultiThreadIoEventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory());
        ChannelGroup accepted = new DefaultChannelGroup(group.next());
        ChannelFuture bound =
                bootstrap(group, initializer(engines, accepted, listener))
                        .bind(bind)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
            throw new ControlFailure(
                    ControlFailure.Kind.UNREACHABLE,
                    "can't listen on " + bind + ": " + ControlHandler.describe(bound.cause()),
                    bound.cause());
        }
        return new ControlServer(group, bound.channel(), accepted);
    }

    /**
     * As above, at the first of these ports that is free.
     *
     * @throws io.nexar.ConfigurationException if none is
     */
    public static ControlServer start(
            FreePorts ports,
            Supplier<SSLEngine> engines,
            ThreadFactory threads,
            ControlListener listener) {
        MultiThreadIoEventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory());
        ChannelGroup accepted = new DefaultChannelGroup(group.next());
        try {
            ServerBootstrap bootstrap = bootstrap(group, initializer(engines, accepted, listener));
            return new ControlServer(group, ports.bind(bootstrap::bind), accepted);
        } catch (RuntimeException e) {
            group.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
            throw e;
        }
    }

    private static ServerBootstrap bootstrap(
            MultiThreadIoEventLoopGroup group, ChannelInitializer<SocketChannel> connections) {
        return new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
                .childHandler(connections);
    }

    /** Dials another server in the same thread; see {@link ControlClient#connect}. */
    public void connect(Outgoing outgoing, long timeoutNanos) {
        ControlTasks.tryExecute(
                loop,
                () ->
                        new ControlDial(
                                        loop,
                                        outgoing.candidates(),
                                        outgoing.engines(),
                                        outgoing.listener(),
                                        outgoing.onFailure())
                                .start(timeoutNanos));
    }

    /** Whom to dial, and who hears of it: either the listener, or {@code onFailure}. */
    public record Outgoing(
            List<InetSocketAddress> candidates,
            Supplier<SSLEngine> engines,
            ControlListener listener,
            Consumer<ControlFailure> onFailure) {
        public Outgoing {
            candidates = List.copyOf(candidates);
        }
    }

    static WriteBufferWaterMark waterMark() {
        return new WriteBufferWaterMark(
                ControlConnection.PENDING_BYTES_MAX / 2, ControlConnection.PENDING_BYTES_MAX);
    }

    private static ChannelInitializer<SocketChannel> initializer(
            Supplier<SSLEngine> engines, ChannelGroup accepted, ControlListener listener) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                SslHandler tls = new SslHandler(engines.get());
                tls.setHandshakeTimeoutMillis(0); // the listener closes who says nothing in time
                ControlConnection connection = new ControlConnection(channel, tls);
                accepted.add(channel);
                channel.pipeline().addLast(tls, new ControlHandler(connection, listener));
                listener.onOpen(connection);
            }
        };
    }

    /** Where it listens, with the port that was given. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** Runs something in the thread of the connections; once that has ended, drops it. */
    public void execute(Runnable task) {
        ControlTasks.tryExecute(loop, task);
    }

    /**
     * Runs something later; to be called in the thread of the connections, which drops it at its
     * end.
     */
    public void schedule(Runnable task, long delayNanos) {
        if (!loop.isShuttingDown()) {
            loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Stops to listen, lets connections that are being closed gently finish, closes the others, and
     * ends the thread. Waits for that, unless called in the thread itself.
     */
    @Override
    public void close() {
        listening.close();
        boolean isRunning = ControlTasks.tryExecute(loop, this::closeConnections);
        if (isRunning && !loop.inEventLoop()) {
            group.terminationFuture().awaitUninterruptibly(2 * CLOSE_MILLIS);
        }
    }

    private void closeConnections() {
        for (Channel channel : accepted) {
            ControlHandler handler = channel.pipeline().get(ControlHandler.class);
            if (handler == null || !handler.isClosingGently()) {
                channel.close();
            }
        }
        accepted.newCloseFuture()
                .addListener(_ -> group.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS));
        loop.schedule(
                () -> group.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS),
                CLOSE_MILLIS,
                TimeUnit.MILLISECONDS);
    }
}
