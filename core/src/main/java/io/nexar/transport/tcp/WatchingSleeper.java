package io.nexar.transport.tcp;

import io.nexar.transport.Sleeper;

import java.util.concurrent.locks.LockSupport;

/** Has the sockets watched while a caller sleeps; who finds something calls the wake-up. */
final class WatchingSleeper implements Sleeper {
    private final LinkWatches links;

    WatchingSleeper(LinkWatches links) {
        this.links = links;
    }

    @Override
    public long prepare() {
        links.armAll();
        return 0;
    }

    @Override
    public void cancel() {
        // The watching ends by itself with what it finds.
    }

    @Override
    public void sleep(long ticket, long nanos) {
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, nanos);
        }
    }

    @Override
    public void wake(Thread sleeper) {
        LockSupport.unpark(sleeper);
    }
}
