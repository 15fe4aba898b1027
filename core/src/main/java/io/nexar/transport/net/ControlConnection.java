package io.nexar.transport.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * A TCP connection with TLS 1.3 that carries whole messages: {@code u32 length | bytes},
 * little-endian. Few, small, and long-lived: not a data path. Safe in any thread.
 */
public final class ControlConnection {

    /** The longest message that is sent or taken. */
    public static final int MESSAGE_BYTES_MAX = 64 * 1024;

    /**
     * What may wait for a peer that does not read: a whole roster of 65,536 ranks is less. Above it
     * the connection closes, for a peer that reads nothing at all is of no use to anybody.
     */
    static final int PENDING_BYTES_MAX = 8 * 1024 * 1024;

    /** How long the last message may take to be read: a round trip, and a pause of the peer. */
    private static final long LINGER_MILLIS = 1_000;

    private final Channel channel;
    private final SslHandler tls;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private volatile boolean isClosing; // written in the loop's thread, read by its handler there

    ControlConnection(Channel channel, SslHandler tls) {
        this.channel = channel;
        this.tls = tls;
        this.local = inet(channel.localAddress());
        this.remote = inet(channel.remoteAddress());
    }

    /** Sends a message; on a connection that is down or going down it is dropped. */
    public void send(byte[] message) {
        if (message.length > MESSAGE_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a message of " + message.length + " bytes is above " + MESSAGE_BYTES_MAX);
        }
        ControlTasks.tryExecute(channel.eventLoop(), () -> write(message));
    }

    private void write(byte[] message) {
        if (isClosing || !channel.isActive()) {
            return;
        }
        if (!channel.isWritable()) {
            closeBelowTls(); // its goodbye would wait behind what the peer does not read
            return;
        }
        ByteBuf frame = channel.alloc().buffer(4 + message.length);
        frame.writeIntLE(message.length).writeBytes(message);
        channel.writeAndFlush(frame);
    }

    /** Closes at once; what was not sent yet may be lost. */
    public void close() {
        ControlTasks.tryExecute(
                channel.eventLoop(),
                () -> {
                    isClosing = true;
                    closeNow();
                });
    }

    /**
     * Takes nothing more, and closes once the peer has: a close while the peer still writes would
     * make the kernel throw away what the peer has not read yet. A peer that stays is cut off.
     */
    public void closeGently() {
        ControlTasks.tryExecute(channel.eventLoop(), this::startClosing);
    }

    private void startClosing() {
        if (isClosing) {
            return;
        }
        isClosing = true;
        if (isSecured()) {
            channel.eventLoop().schedule(this::closeNow, LINGER_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            closeNow();
        }
    }

    private void closeNow() {
        if (isSecured()) {
            channel.close();
        } else {
            closeBelowTls(); // it would wait for a handshake that a stranger never ends
        }
    }

    private void closeBelowTls() {
        channel.unsafe().close(channel.unsafe().voidPromise());
    }

    private boolean isSecured() {
        return tls.handshakeFuture().isSuccess();
    }

    boolean isClosing() {
        return isClosing;
    }

    /**
     * The certificate that the peer has shown in the handshake, and that was accepted there.
     *
     * @throws IllegalStateException before the connection is secured, or where none was asked for
     */
    public X509Certificate peerCertificate() {
        try {
            if (tls.engine().getSession().getPeerCertificates()[0]
                    instanceof X509Certificate leaf) {
                return leaf;
            }
        } catch (SSLPeerUnverifiedException e) {
            throw new IllegalStateException(remote + " has shown no certificate", e);
        }
        throw new IllegalStateException(remote + " has shown no X.509 certificate");
    }

    public InetSocketAddress local() {
        return local;
    }

    public InetSocketAddress remote() {
        return remote;
    }

    /** A connection that broke while it was accepted has no addresses any more. */
    private static InetSocketAddress inet(SocketAddress address) {
        return address instanceof InetSocketAddress known
                ? known
                : InetSocketAddress.createUnresolved("unknown", 0);
    }

    @Override
    public String toString() {
        return "ControlConnection[" + local + " to " + remote + "]";
    }
}
