package io.nexar.transport.net;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.ScheduledFuture;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * An event loop whose timers nobody but the loop takes for due: to whoever asks, one that is due
 * says that it has a moment left, until the loop has come to it.
 *
 * <p>Netty's QUIC codec (4.2.18) looks at a connection's loss timer at the end of each send, and if
 * it is due, runs it there and then. QUIC marks what was lost; but the send that should follow is
 * refused, because it is inside of a send. Where nothing else is in flight no timer is left either,
 * and the lost bytes wait for other traffic: for ever, on a link whose ends wait for each other.
 */
final class TurnLoop extends SingleThreadIoEventLoop {
    TurnLoop(IoEventLoopGroup group, Executor executor, IoHandlerFactory io) {
        super(group, executor, io);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return new TurnTimer<>(this, super.schedule(command, delay, unit));
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> command, long delay, TimeUnit unit) {
        return new TurnTimer<>(this, super.schedule(command, delay, unit));
    }
}
