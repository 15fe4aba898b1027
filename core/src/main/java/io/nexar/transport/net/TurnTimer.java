package io.nexar.transport.net;

import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;

import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** A timer of a {@link TurnLoop}: ends as its task in the loop ends, and never looks due. */
final class TurnTimer<V> extends DefaultPromise<V> implements ScheduledFuture<V> {
    private final ScheduledFuture<V> task;

    TurnTimer(EventExecutor loop, ScheduledFuture<V> task) {
        super(loop);
        this.task = task;
        task.addListener(this::onEnd);
    }

    private void onEnd(Future<? super V> ended) {
        if (ended.isCancelled()) {
            super.cancel(false);
        } else if (ended.isSuccess()) {
            setSuccess(task.getNow());
        } else {
            setFailure(ended.cause());
        }
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        return task.cancel(mayInterrupt);
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return Math.max(1, task.getDelay(unit));
    }

    @Override
    public int compareTo(Delayed other) {
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
}
