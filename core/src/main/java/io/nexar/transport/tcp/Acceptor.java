package io.nexar.transport.tcp;

import io.nexar.transport.net.FreePorts;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Listens, and keeps those who have connected and are no links yet: so many, and no more. One too
 * many drops the oldest, since an honest one is done within milliseconds. The endpoint's thread.
 */
final class Acceptor implements SelectorThread.Watched {
    private static final System.Logger LOG = System.getLogger(Acceptor.class.getName());

    /** All ranks of a big job may dial at once; the kernel caps it (net.core.somaxconn). */
    private static final int BACKLOG = 4096;

    /** No file descriptor left, most likely: it is tried again. */
    private static final long PAUSE_NANOS = 100_000_000;

    private final TcpEndpoint endpoint;
    private final ServerSocketChannel listening;
    private final Set<AcceptedGreeting> pending = new LinkedHashSet<>();

    Acceptor(TcpEndpoint endpoint, FreePorts ports) {
        this.endpoint = endpoint;
        this.listening = ports.listen(BACKLOG);
    }

    /** Where it listens, with the port that was given. */
    InetSocketAddress address() {
        return (InetSocketAddress) listening.socket().getLocalSocketAddress();
    }

    void start() {
        try {
            endpoint.thread().register(listening, SelectionKey.OP_ACCEPT, this);
        } catch (IOException e) {
            onFailure(e);
        }
    }

    @Override
    public void onReady(SelectionKey key) throws IOException {
        for (SocketChannel channel = listening.accept();
                channel != null;
                channel = listening.accept()) {
            admit(channel);
        }
    }

    private void admit(SocketChannel channel) throws IOException {
        try {
            InetSocketAddress remote = (InetSocketAddress) channel.getRemoteAddress();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            AcceptedGreeting greeting = new AcceptedGreeting(endpoint, channel, remote);
            pending.add(greeting);
            greeting.start();
            dropOldest();
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection broke as it was accepted", e);
            channel.close();
        }
    }

    private void dropOldest() {
        if (pending.size() > endpoint.limits().strangersMax()) {
            Iterator<AcceptedGreeting> oldest = pending.iterator();
            oldest.next().fail("too many connections that are no links yet");
        }
    }

    @Override
    public void onFailure(Exception failure) {
        LOG.log(System.Logger.Level.WARNING, "no connection could be accepted", failure);
        SelectionKey key = listening.keyFor(endpoint.thread().selector());
        if (key != null && key.isValid()) {
            key.interestOps(0);
            endpoint.thread().schedule(PAUSE_NANOS, () -> key.interestOps(SelectionKey.OP_ACCEPT));
        }
    }

    void settled(AcceptedGreeting greeting) {
        pending.remove(greeting);
    }

    int pendingCount() {
        return pending.size();
    }

    void close(String reason) {
        List.copyOf(pending).forEach(greeting -> greeting.fail(reason));
        closeListening();
    }

    void closeListening() {
        try {
            listening.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the listening socket", e);
        }
    }
}
