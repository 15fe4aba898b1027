package io.nexar.transport.tcp;

import io.nexar.transport.PeerAddress;
import io.nexar.transport.net.SocketAddresses;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Passes bytes on between a dialler and a member, until it is told to stop; those of the dialler no
 * further than it is allowed.
 */
final class Between implements AutoCloseable {
    private final ServerSocket listening =
            new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
    private final InetSocketAddress target;
    private final Socket onward = new Socket();
    private final Semaphore budget = new Semaphore(Integer.MAX_VALUE);
    private volatile Socket dialler = new Socket();

    Between(String candidate) throws IOException {
        target = SocketAddresses.parse(candidate);
        new Thread(this::serve, "between").start();
    }

    PeerAddress address() {
        return new PeerAddress("tcp", List.of("127.0.0.1:" + listening.getLocalPort()));
    }

    private void serve() {
        try {
            dialler = listening.accept();
            onward.connect(target);
            new Thread(this::passBack, "back").start();
            passOn();
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void passBack() {
        try {
            onward.getInputStream().transferTo(dialler.getOutputStream());
        } catch (IOException cut) {
            // As the test wants it.
        }
    }

    private void passOn() throws IOException {
        byte[] bytes = new byte[4096];
        int got = dialler.getInputStream().read(bytes);
        while (got > 0) {
            budget.acquireUninterruptibly(got);
            onward.getOutputStream().write(bytes, 0, got);
            got = dialler.getInputStream().read(bytes);
        }
    }

    /** Passes on at most so many more bytes of the dialler, until {@link #release}. */
    void hold(int bytes) {
        budget.drainPermits();
        budget.release(bytes);
    }

    void release() {
        hold(Integer.MAX_VALUE);
    }

    void halfClose() throws IOException {
        onward.shutdownOutput();
    }

    void reset() throws IOException {
        for (Socket socket : List.of(dialler, onward)) {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        release();
        listening.close();
        dialler.close();
        onward.close();
    }
}
