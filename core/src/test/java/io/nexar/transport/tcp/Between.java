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
    /** How a connection is cut. */
    enum Cut {
        /** Both ends hear of it. */
        RESET,
        /** Both hear of it, as if the other had ended it. */
        END,
        /** The other end never hears of it: nothing comes through any more. */
        RESET_OF_THE_DIALLER,
        RESET_OF_THE_MEMBER,
        /** Nobody hears of it: nothing comes through any more. */
        SILENCE
    }

    private final ServerSocket listening =
            new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
    private final InetSocketAddress target;
    private final Socket onward = new Socket();
    private final Semaphore budget = new Semaphore(Integer.MAX_VALUE);
    private volatile Socket dialler = new Socket();
    private Cut how = Cut.RESET;
    private long bytesLeft = Long.MAX_VALUE; // until the cut, both ways together
    private boolean isCut;

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
            byte[] bytes = new byte[4096];
            int got = onward.getInputStream().read(bytes);
            while (got > 0) {
                pass(bytes, got, dialler);
                got = onward.getInputStream().read(bytes);
            }
        } catch (IOException cut) {
            // As the test wants it.
        }
    }

    private void passOn() throws IOException {
        byte[] bytes = new byte[4096];
        int got = dialler.getInputStream().read(bytes);
        while (got > 0) {
            budget.acquireUninterruptibly(got);
            pass(bytes, got, onward);
            got = dialler.getInputStream().read(bytes);
        }
    }

    private void pass(byte[] bytes, int count, Socket to) throws IOException {
        int passed;
        boolean isDue;
        synchronized (this) {
            passed = (int) Math.min(count, bytesLeft);
            bytesLeft -= passed;
            isDue = bytesLeft == 0 && !isCut;
        }
        to.getOutputStream().write(bytes, 0, passed);
        if (isDue) {
            cut();
        }
    }

    /** Cuts the connection once so many more bytes have passed, both ways together. */
    synchronized void cutAfter(long bytes, Cut theWay) {
        bytesLeft = bytes;
        how = theWay;
    }

    synchronized boolean isCut() {
        return isCut;
    }

    /** Now. */
    synchronized void cut() throws IOException {
        isCut = true;
        bytesLeft = 0;
        switch (how) {
            case RESET -> reset();
            case END -> {
                dialler.shutdownOutput();
                onward.shutdownOutput();
            }
            case RESET_OF_THE_DIALLER -> reset(dialler);
            case RESET_OF_THE_MEMBER -> reset(onward);
            case SILENCE -> {
                // What comes from now on is dropped.
            }
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
        reset(dialler);
        reset(onward);
    }

    private static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        release();
        listening.close();
        dialler.close();
        onward.close();
    }
}
