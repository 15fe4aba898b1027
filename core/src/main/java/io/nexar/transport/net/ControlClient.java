package io.nexar.transport.net;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;

/** Dials control connections, in one thread. */
public final class ControlClient implements AutoCloseable {

    /** How long a close waits for the thread's end; nothing that it does takes long. */
    private static final long CLOSE_MILLIS = 1_000;

    private final MultiThreadIoEventLoopGroup group;
    private final Supplier<SSLEngine> engines;
    private final ControlListener listener;

    /**
     * @param engines makes a client engine for each dial
     * @param listener hears of connections once they are secured
     */
    public ControlClient(
            Supplier<SSLEngine> engines, ThreadFactory threads, ControlListener listener) {
        this.group = new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory());
        this.engines = engines;
        this.listener = listener;
    }

    /**
     * Dials without blocking. Either the listener hears {@code onOpen}, or {@code onFailure} gets
     * the reason, no later than {@code timeoutNanos} from now; both in the client's thread.
     *
     * @param candidates of the one server, the best first; the others are tried while it is slow
     */
    public void connect(
            List<InetSocketAddress> candidates,
            long timeoutNanos,
            Consumer<ControlFailure> onFailure) {
        ControlDial dial = new ControlDial(group.next(), candidates, engines, listener, onFailure);
        ControlTasks.tryExecute(group.next(), () -> dial.start(timeoutNanos));
    }

    /** Runs something in the client's thread; once that is ending, drops it. */
    public void execute(Runnable task) {
        ControlTasks.tryExecute(group.next(), task);
    }

    /**
     * Closes what is open and ends the thread. Waits for that, unless called in the thread itself.
     */
    @Override
    public void close() {
        boolean isOwnThread = group.next().inEventLoop();
        group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        if (!isOwnThread) {
            group.terminationFuture().awaitUninterruptibly(CLOSE_MILLIS);
        }
    }
}
