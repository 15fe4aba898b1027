package io.nexar.transport.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.nexar.transport.net.ControlFailure.Kind;

import org.jspecify.annotations.Nullable;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;

/**
 * One dial to a server that may have several addresses.
 *
 * <p>After RFC 8305 ("Happy Eyeballs"): the next address is tried when the one before has failed or
 * has been silent for a while; the first TCP connection wins and is secured, the others are
 * dropped. One deadline covers all of it. Confined to the loop's thread.
 */
final class ControlDial {

    /** RFC 8305, section 5: recommended delay between attempts. */
    private static final long STAGGER_MILLIS = 250;

    private final EventLoop loop;
    private final List<InetSocketAddress> candidates;
    private final Supplier<SSLEngine> engines;
    private final ControlListener listener;
    private final Consumer<ControlFailure> onFailure;
    private final List<Channel> channels = new ArrayList<>();
    private int started;
    private int failed;
    private boolean wasRefused;
    private @Nullable Throwable lastCause;
    private boolean isWon;
    private boolean isOver;

    ControlDial(
            EventLoop loop,
            List<InetSocketAddress> candidates,
            Supplier<SSLEngine> engines,
            ControlListener listener,
            Consumer<ControlFailure> onFailure) {
        this.loop = loop;
        this.candidates = List.copyOf(candidates);
        this.engines = engines;
        this.listener = listener;
        this.onFailure = onFailure;
    }

    void start(long timeoutNanos) {
        loop.schedule(
                () -> expire(TimeUnit.NANOSECONDS.toMillis(timeoutNanos)),
                timeoutNanos,
                TimeUnit.NANOSECONDS);
        tryNext();
    }

    private void tryNext() {
        if (isOver || isWon || started == candidates.size()) {
            return;
        }
        InetSocketAddress candidate = candidates.get(started++);
        ChannelFuture attempt =
                new Bootstrap()
                        .group(loop)
                        .channel(NioSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.SO_KEEPALIVE, true)
                        .option(ChannelOption.AUTO_READ, false)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0) // ours covers all of it
                        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, ControlServer.waterMark())
                        .handler(new ChannelInboundHandlerAdapter())
                        .connect(candidate);
        channels.add(attempt.channel());
        attempt.addListener(_ -> handleAttempt(attempt));
        loop.schedule(this::tryNext, STAGGER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void handleAttempt(ChannelFuture attempt) {
        if (isOver || isWon) {
            attempt.channel().close();
        } else if (attempt.isSuccess()) {
            isWon = true;
            channels.stream().filter(c -> !c.equals(attempt.channel())).forEach(Channel::close);
            secure(attempt.channel());
        } else {
            failed++;
            lastCause = attempt.cause();
            wasRefused |= isRefusal(attempt.cause());
            if (failed == candidates.size()) {
                fail(
                        wasRefused ? Kind.REFUSED : Kind.UNREACHABLE,
                        ControlHandler.describe(attempt.cause()));
            } else {
                tryNext();
            }
        }
    }

    private void secure(Channel channel) {
        SslHandler tls = new SslHandler(engines.get());
        tls.setHandshakeTimeoutMillis(0); // ours covers all of it
        ControlConnection connection = new ControlConnection(channel, tls);
        tls.handshakeFuture()
                .addListener(handshake -> {
                    if (isOver) {
                        return;
                    }
                    if (handshake.isSuccess()) {
                        isOver = true;
                        channel.pipeline().addLast(new ControlHandler(connection, listener));
                        listener.onOpen(connection);
                    } else {
                        failHandshake(channel, handshake.cause());
                    }
                });
        channel.pipeline().addLast(tls, new QuietErrors());
        channel.config().setAutoRead(true);
    }

    private void failHandshake(Channel channel, Throwable cause) {
        lastCause = cause;
        Kind kind = isDistrust(cause) ? Kind.UNTRUSTED : Kind.REFUSED;
        fail(kind, "from " + channel.remoteAddress() + ": " + ControlHandler.describe(cause));
    }

    private void expire(long timeoutMillis) {
        String silent = isWon ? "accepted and said nothing" : "did not answer";
        fail(
                wasRefused && !isWon ? Kind.REFUSED : Kind.SILENT,
                candidates + " " + silent + " within " + timeoutMillis + " ms");
    }

    private void fail(Kind kind, String reason) {
        if (isOver) {
            return;
        }
        isOver = true;
        channels.forEach(channel -> channel.unsafe().close(channel.unsafe().voidPromise()));
        onFailure.accept(
                lastCause == null
                        ? new ControlFailure(kind, reason)
                        : new ControlFailure(kind, reason, lastCause));
    }

    private static boolean isRefusal(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return cause instanceof ConnectException && message.contains("refused");
    }

    /** The handshake's future tells its errors already. */
    private static final class QuietErrors extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable told) {
            context.close();
        }
    }

    /** A broken connection is none: the server may only be overloaded. */
    private static boolean isDistrust(Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof CertificateException
                    || at instanceof NotSslRecordException
                    || String.valueOf(at.getMessage()).contains("fatal alert")) {
                return true;
            }
        }
        return false;
    }
}
