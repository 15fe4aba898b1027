package io.nexar.transport.net;

import io.netty.channel.IoHandlerContext;

/** How long a pass of a {@link TurnLoop} may wait for its sockets. The driver's. */
final class TurnWait implements IoHandlerContext {
    /** Whether there still is a reason to wait; asked right before waiting. */
    @FunctionalInterface
    interface Reason {
        boolean holds();
    }

    private static final Reason NONE = () -> false;

    private final TurnLoop loop;
    private Reason reason = NONE;
    private long nanosMax;

    TurnWait(TurnLoop loop) {
        this.loop = loop;
    }

    TurnWait none() {
        reason = NONE;
        nanosMax = 0;
        return this;
    }

    TurnWait upTo(long nanos, Reason until) {
        reason = until;
        nanosMax = nanos;
        return this;
    }

    @Override
    public boolean canBlock() {
        return reason.holds() && !loop.hasWork();
    }

    @Override
    public long delayNanos(long nowNanos) {
        long timer = loop.nextTimerNanos();
        return timer == -1 ? nanosMax : Math.clamp(timer - loop.ticker().nanoTime(), 0, nanosMax);
    }

    /** By the loop's ticker; -1: none. */
    @Override
    public long deadlineNanos() {
        long timer = loop.nextTimerNanos();
        if (nanosMax == Long.MAX_VALUE) {
            return timer;
        }
        long now = loop.ticker().nanoTime();
        return timer == -1 || timer - now > nanosMax ? now + nanosMax : timer;
    }
}
