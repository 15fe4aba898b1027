package io.nexar.transport.quic;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells of failures of a socket, such as memory that is short, at most once a second: the socket is
 * tried again at once, and a line for each time would fill a disk. What could not be read comes
 * again. The event loop's.
 */
final class SocketFailures extends ChannelInboundHandlerAdapter {
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoClock;
    private final Consumer<String> log;
    private long toldNanos;
    private long untold;

    SocketFailures(LongSupplier nanoClock, Consumer<String> log) {
        this.nanoClock = nanoClock;
        this.log = log;
        this.toldNanos = nanoClock.getAsLong() - QUIET_NANOS;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        untold++;
        long now = nanoClock.getAsLong();
        if (now - toldNanos >= QUIET_NANOS) {
            log.accept(
                    "the QUIC socket at %s failed, %d times since this was told last: %s"
                            .formatted(context.channel().localAddress(), untold, cause));
            toldNanos = now;
            untold = 0;
        }
    }
}
