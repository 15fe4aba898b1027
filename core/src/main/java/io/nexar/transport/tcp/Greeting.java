package io.nexar.transport.tcp;

import io.netty.util.ReferenceCountUtil;
import io.nexar.transport.net.SocketAddresses;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * A connection on its way to being a link: the TLS handshake, then a hello each way. What differs
 * between the side that dialled and the side that was dialled is in the two subclasses. It holds
 * three records and an engine, whatever the peer sends. The endpoint's thread.
 */
abstract class Greeting implements SelectorThread.Watched {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final TcpEndpoint endpoint;
    private final SocketChannel channel;
    private final SSLEngine engine;
    private final String address;
    private final ByteBuffer in;
    private final ByteBuffer out;
    private final ByteBuffer plain;
    private @Nullable SelectionKey key;
    private boolean hasBegun;
    private boolean isSecured;
    private boolean isOver;

    Greeting(
            TcpEndpoint endpoint,
            SocketChannel channel,
            InetSocketAddress remote,
            SSLEngine engine) {
        this.endpoint = endpoint;
        this.channel = channel;
        this.engine = engine;
        this.address = SocketAddresses.format(remote);
        int recordBytes = engine.getSession().getPacketBufferSize();
        this.in = ByteBuffer.allocate(recordBytes).flip();
        this.out = ByteBuffer.allocate(2 * recordBytes);
        this.plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    }

    final TcpEndpoint endpoint() {
        return endpoint;
    }

    final SocketChannel channel() {
        return channel;
    }

    final String address() {
        return address;
    }

    final boolean isOver() {
        return isOver;
    }

    /** Begins; {@code operations} is what the first step waits for. */
    final void register(int operations) throws IOException {
        key = endpoint.thread().register(channel, operations, this);
    }

    /** TLS is up: the peer has shown a certificate of this job. */
    abstract void onSecured() throws IOException;

    abstract void onHello(Hello hello) throws IOException;

    /** It will be no link. */
    abstract void onRefused(String reason);

    /** Connects, where it is this side that dials; false if that is not over yet. */
    boolean isConnected() throws IOException {
        return true;
    }

    @Override
    public final void onReady(SelectionKey ready) throws IOException {
        if (isOver || !isConnected()) {
            return;
        }
        if (!hasBegun) {
            hasBegun = true;
            engine.beginHandshake();
        }
        while (!isOver && isGettingOn()) {
            // Step by step, until the peer is to say something.
        }
        if (!isOver) {
            ready.interestOps(
                    SelectionKey.OP_READ | (out.position() > 0 ? SelectionKey.OP_WRITE : 0));
        }
    }

    private boolean isGettingOn() throws IOException {
        if (!isWritten()) {
            return false;
        }
        return switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                runTasks();
                yield true;
            }
            case NEED_WRAP -> {
                wrap(NOTHING.duplicate());
                yield true;
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrap();
            case NOT_HANDSHAKING, FINISHED -> converse();
        };
    }

    private boolean isWritten() throws IOException {
        out.flip();
        try {
            while (out.hasRemaining() && channel.write(out) > 0) {
                // As much as the socket takes.
            }
        } finally {
            out.compact();
        }
        return out.position() == 0;
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask();
                task != null;
                task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    private void wrap(ByteBuffer source) throws IOException {
        SSLEngineResult result = engine.wrap(source, out);
        if (result.getStatus() != SSLEngineResult.Status.OK) {
            throw new EOFException("TLS ended");
        }
    }

    /** One record; false if the rest of it has not come. */
    private boolean unwrap() throws IOException {
        SSLEngineResult result = engine.unwrap(in, plain);
        switch (result.getStatus()) {
            case OK -> {
                return true;
            }
            case CLOSED -> throw new EOFException("TLS was ended by the peer");
            case BUFFER_OVERFLOW ->
                    throw new IOException("more was said than a hello before there is a link");
            case BUFFER_UNDERFLOW -> {
                // More of it is read below.
            }
        }
        in.compact();
        int got;
        try {
            got = channel.read(in);
        } finally {
            in.flip();
        }
        if (got < 0) {
            throw new EOFException("the peer ended the connection");
        }
        return got > 0;
    }

    private boolean converse() throws IOException {
        if (!isSecured) {
            isSecured = true;
            onSecured();
            return true;
        }
        plain.flip();
        Hello hello = Hello.take(plain);
        plain.compact();
        if (hello != null && plain.position() > 0) {
            throw new IOException("something else came together with the hello");
        }
        if (hello != null) {
            onHello(hello);
            return true;
        }
        return unwrap();
    }

    /** Puts a hello of {@link Hello} behind what is to be sent. */
    final void say(byte[] words) throws IOException {
        ByteBuffer hello = ByteBuffer.wrap(words);
        while (hello.hasRemaining()) {
            wrap(hello); // the first calls may give out what TLS itself has to say
        }
        isWritten();
    }

    /** Gives the connection to a link, with what was read behind the hello. */
    final TcpLink becomeLink(TcpLink.Peers peers) {
        isOver = true;
        return endpoint.makeLink(this, peers);
    }

    final Wire wire(Protection protection, boolean isNative) {
        if (protection == Protection.INSECURE_PLAINTEXT) {
            ReferenceCountUtil.safeRelease(engine);
            return new PlainWire(channel, in, out.flip());
        }
        return new TlsWire(channel, new TlsWire.Engine(engine, isNative), in, out.flip());
    }

    final SelectionKey key() {
        return java.util.Objects.requireNonNull(key, "registered");
    }

    /** The certificate that TLS has verified to be of this job. */
    final X509Certificate certificate() throws IOException {
        try {
            if (engine.getSession().getPeerCertificates()[0] instanceof X509Certificate leaf) {
                return leaf;
            }
        } catch (SSLPeerUnverifiedException e) {
            throw new IOException("the peer has shown no certificate", e);
        }
        throw new IOException("the peer has shown no X.509 certificate");
    }

    @Override
    public final void onFailure(Exception failure) {
        String refusal = endpoint.witness().refusal(engine);
        fail(refusal != null ? refusal : TlsWords.of(failure));
    }

    /** Ends it; what TLS has to say about it still goes out. */
    final void fail(String reason) {
        if (isOver) {
            return;
        }
        isOver = true;
        try {
            if (engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP) {
                engine.wrap(NOTHING.duplicate(), out); // an alert
            }
            isWritten();
        } catch (IOException e) {
            // There is nobody to say it to.
        }
        ReferenceCountUtil.safeRelease(engine);
        endpoint.part(channel, key);
        onRefused(reason);
    }
}
