package io.nexar.transport.quic;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicConnectionCloseEvent;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.nexar.transport.net.SocketAddresses;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * A QUIC connection on its way to being a link, and then the event loop's side of that link. What
 * differs between the side that dialled and the side that was dialled is in the two subclasses. The
 * event loop's.
 */
abstract class Connection extends ChannelInboundHandlerAdapter {
    private final QuicEndpoint endpoint;
    private @Nullable QuicChannel channel;
    private @Nullable LaneStreams streams;
    private @Nullable QuicLink link;
    private @Nullable String said;
    private @Nullable Throwable failure;
    private String address = "an unknown address";
    private boolean isDown;

    Connection(QuicEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        QuicChannel added = (QuicChannel) context.channel();
        channel = added;
        if (added.remoteSocketAddress() instanceof InetSocketAddress remote) {
            address = SocketAddresses.format(remote);
        }
        // Not channelInactive: a connection that never came up does not go down there.
        added.closeFuture().addListener(closed -> down(null));
    }

    final QuicEndpoint endpoint() {
        return endpoint;
    }

    final QuicChannel channel() {
        return java.util.Objects.requireNonNull(channel, "the handler has been added");
    }

    final LaneStreams streams() {
        if (streams == null) {
            streams = new LaneStreams(channel(), endpoint.pump());
        }
        return streams;
    }

    /** Null until the peer is known. */
    final @Nullable QuicLink link() {
        return link;
    }

    /** From here on, what arrives is kept for the link. */
    final QuicLink makeLink(QuicLink.Peers peers, Runnable wakeUp) {
        QuicLink made = new QuicLink(peers, streams(), endpoint.pump(), wakeUp);
        streams().attach(made);
        link = made;
        return made;
    }

    /** The certificate that TLS has verified to be of this job. */
    final X509Certificate certificate() {
        SSLEngine engine = channel().sslEngine();
        try {
            if (engine != null
                    && engine.getSession().getPeerCertificates()[0]
                            instanceof X509Certificate leaf) {
                return leaf;
            }
        } catch (SSLPeerUnverifiedException e) {
            throw new IllegalStateException("TLS came up without the peer's certificate", e);
        }
        throw new IllegalStateException("TLS came up without the peer's certificate");
    }

    final String address() {
        return address;
    }

    /** A stream has said for which lane it is, or that the acceptor has all of them. */
    abstract void onHello(int said, QuicStreamChannel stream);

    /** The connection is gone, before or after it became a link. */
    abstract void onDown(String reason);

    void onStream(QuicStreamChannel stream) {
        stream.close();
    }

    void onHandshake() {}

    /** The peer broke a rule, or a stream of a link ended. */
    final void fail(String reason) {
        if (isDown || channel == null || !channel.isActive()) {
            return;
        }
        if (link == null) {
            refuse(reason);
        } else {
            said = said == null ? reason : said;
            link.close(reason);
        }
    }

    /** Before Netty has made the channel there is nothing to close. */
    final void refuse(String reason) {
        if (said == null) {
            said = reason;
        }
        if (channel != null) {
            streams().close(LaneStreams.CODE_REFUSED, reason);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof QuicStreamChannel stream) {
            onStream(stream);
            context.fireChannelRead(message);
            return;
        }
        try {
            String problem =
                    message instanceof ByteBuf datagram ? Datagrams.receive(datagram, link) : null;
            if (problem != null) {
                fail(problem);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        switch (event) {
            case QuicConnectionCloseEvent close -> onClose(close);
            case SslHandshakeCompletionEvent handshake when handshake.isSuccess() -> onHandshake();
            case SslHandshakeCompletionEvent handshake -> failure = handshake.cause();
            default -> {}
        }
    }

    private void onClose(QuicConnectionCloseEvent close) {
        said = said == null ? CloseText.of(close) : said;
        boolean isGivenUp =
                close.isApplicationClose() && close.error() == LaneStreams.CODE_GIVEN_UP;
        if (isGivenUp && link != null) {
            link.heardGivenUp(CloseText.reasonOf(close));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failure = failure == null ? cause : failure;
        fail(CloseText.ofFailure(cause));
    }

    /** Tells once why the connection is gone. */
    final void down(@Nullable Throwable cause) {
        if (isDown) {
            return;
        }
        isDown = true;
        failure = failure == null ? cause : failure;
        onDown(reason());
    }

    private String reason() {
        QuicChannel gone = channel;
        if (gone == null) {
            return failure == null ? "no connection was made" : CloseText.ofFailure(failure);
        }
        String refusal = endpoint.witness().refusal(QuicEngines.of(gone));
        if (refusal != null) {
            return refusal;
        }
        return said != null ? said : CloseText.ofSilence(gone, failure);
    }
}
