package io.nexar.fabric;

import io.nexar.transport.Sleeper;

import java.util.concurrent.locks.LockSupport;

/** Sleeps where all that brings work is in this process: parks. A permit ends a park to come. */
final class ParkingSleeper implements Sleeper {
    @Override
    public long prepare() {
        return 0;
    }

    @Override
    public void cancel() {}

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
