package io.nexar.transport.shm;

import io.nexar.transport.Sleeper;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;

/**
 * Sleeps on the bell of an endpoint's doorstep, which every peer can ring. A virtual thread that
 * sleeps here keeps its carrier.
 */
final class ShmSleeper implements Sleeper {
    /** An interrupt does not end a futex wait, so nobody sleeps for longer in one go. */
    private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Doorstep doorstep;

    /** Of the one thread that sleeps. */
    private final MemorySegment timespec = Arena.ofAuto().allocate(16, 8);

    ShmSleeper(Doorstep doorstep) {
        this.doorstep = doorstep;
    }

    @Override
    public long prepare() {
        return doorstep.prepareSleep();
    }

    @Override
    public void cancel() {
        doorstep.endSleep();
    }

    @Override
    public void sleep(long ticket, long nanos) {
        if (nanos > 0 && !Thread.currentThread().isInterrupted()) {
            timespec.set(ValueLayout.JAVA_LONG, 8, Math.min(nanos, NAP_NANOS));
            doorstep.sleep((int) ticket, timespec);
        }
        doorstep.endSleep();
    }

    @Override
    public void wake(Thread sleeper) {
        doorstep.ring();
    }
}
