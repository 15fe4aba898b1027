package io.nexar.fabric;

import io.nexar.transport.Sleeper;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Where the leader sleeps: room for one. Who enters looks for work once more before it sleeps, so
 * nothing is lost: whoever brings work does so before it looks whether somebody is in here, and who
 * is in here said so before it looked for work. While nobody is, to wake costs a fence and a read.
 */
final class SleepingPlace {
    private static final VarHandle SLEEPING = sleepingHandle();

    private final Sleeper sleeper;
    private final AtomicBoolean isTaken = new AtomicBoolean();

    /** Who sleeps, or is about to, and has not been woken. */
    @SuppressWarnings("unused") // also written through SLEEPING
    private volatile @Nullable Thread sleeping;

    // Of whoever has taken the place.
    private long ticket;
    private boolean hasSlept;

    SleepingPlace(Sleeper sleeper) {
        this.sleeper = sleeper;
    }

    /** Takes the place; false if somebody has it, who was woken and is about to leave. */
    boolean tryEnter(Thread self) {
        if (!isTaken.compareAndSet(false, true)) {
            return false;
        }
        hasSlept = false;
        sleeping = self; // before prepare, which may find work at once and have somebody tell of it
        VarHandle.fullFence(); // pairs with the fence in wake
        ticket = sleeper.prepare();
        return true;
    }

    /**
     * Sleeps until woken since it has entered, but no longer than that. The word of a wake-up is
     * that nobody is named here any more: a permit to park may be used up by a lock meanwhile.
     */
    void sleep(long nanos) {
        if (sleeping == null) {
            return;
        }
        hasSlept = true;
        sleeper.sleep(ticket, nanos);
    }

    /** Leaves, whether it has slept or not. */
    void leave() {
        sleeping = null;
        if (!hasSlept) {
            sleeper.cancel();
        }
        isTaken.set(false);
    }

    /** Wakes whoever sleeps here. From any thread. */
    void wake() {
        VarHandle.fullFence(); // pairs with the fence in tryEnter
        Thread thread = sleeping;
        if (thread != null && SLEEPING.compareAndSet(this, thread, null)) {
            sleeper.wake(thread);
        }
    }

    /** Wakes that thread, whether it sleeps here or is parked elsewhere. From any thread. */
    void wake(Thread thread) {
        VarHandle.fullFence(); // pairs with the fence in tryEnter
        if (sleeping == thread && SLEEPING.compareAndSet(this, thread, null)) {
            sleeper.wake(thread);
        } else {
            LockSupport.unpark(thread);
        }
    }

    private static VarHandle sleepingHandle() {
        try {
            return MethodHandles.lookup()
                    .findVarHandle(SleepingPlace.class, "sleeping", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
