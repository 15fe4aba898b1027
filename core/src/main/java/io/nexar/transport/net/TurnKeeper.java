package io.nexar.transport.net;

import io.nexar.transport.Sleeper;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Who drives a {@link TurnLoop}: the keeper's thread, unless a caller does. A caller that waits for
 * what the sockets bring takes the turn for each pass, and waits inside of the loop instead of
 * parking, so a message needs no thread but its two callers'. The keeper leaves the loop to callers
 * as long as they come back often, and takes it again when they are about something else: timers
 * and acknowledgements go on.
 *
 * <p>Callers drive only once one has prepared to sleep here; otherwise nobody would wait in the
 * loop, and each of its wake-ups would be late. Virtual threads never do: they would hold their
 * carrier.
 */
public final class TurnKeeper implements Sleeper {
    /**
     * How long the loop is left alone before the keeper takes it again: a part of what QUIC allows
     * for an acknowledgement (25 ms), and longer than a rank's background thread takes to lead.
     */
    private static final long LEASE_NANOS = 4_000_000;

    /** A caller that waits inside sees an interrupt no later than that. */
    private static final long WAIT_NANOS_MAX = 50_000_000;

    private final TurnLoop loop;
    private final Thread thread;
    private final AtomicLong passes = new AtomicLong(); // callers', under the turn
    private final AtomicLong wakes = new AtomicLong();
    private volatile boolean isShared;
    private volatile boolean isWanted; // a caller asks the keeper for the turn
    private volatile boolean isWaitingInside;
    private volatile boolean isDozing; // the keeper's; pairs with the read in leave()

    TurnKeeper(TurnLoop loop, ThreadFactory threads) {
        this.loop = loop;
        this.thread = threads.newThread(this::keep);
    }

    void start() {
        thread.start();
    }

    /** The loop is to end: the keeper takes the turn and ends it. */
    void endSoon() {
        loop.wakeUp();
        LockSupport.unpark(thread);
    }

    // ---- the keeper's thread ----

    private void keep() {
        try {
            while (!loop.isShuttingDown()) {
                if (loop.tryTake()) {
                    drive();
                }
                leaveToCallers();
            }
        } finally {
            end(); // also after an error, so that links go down instead of falling silent
        }
    }

    private void end() {
        loop.take();
        try {
            loop.end();
        } finally {
            loop.give();
        }
    }

    private void drive() {
        try {
            isWanted = false;
            while (!isWanted && !loop.isShuttingDown()) {
                loop.passAfterWait(Long.MAX_VALUE, () -> !isWanted && !loop.isShuttingDown());
            }
        } finally {
            loop.give();
        }
    }

    /** Returns when no caller has driven for a while. */
    private void leaveToCallers() {
        while (!loop.isShuttingDown()) {
            long seen = passes.get();
            LockSupport.parkNanos(this, LEASE_NANOS);
            if (passes.get() != seen) {
                continue;
            }
            if (!loop.isTaken()) {
                return;
            }
            doze();
        }
    }

    /** A caller waits inside; it says when that is over. */
    private void doze() {
        isDozing = true;
        while (isDozing && loop.isTaken() && !loop.isShuttingDown()) {
            LockSupport.park(this);
        }
        isDozing = false;
    }

    // ---- callers ----

    /**
     * One pass of the loop in the calling thread, if it may have the turn.
     *
     * @return whether it had
     */
    public boolean tryPass() {
        return tryDrive(null);
    }

    /** Runs the task as the event loop, in the calling thread, if that may have the turn. */
    public boolean tryRun(Runnable task) {
        return tryDrive(task);
    }

    private boolean tryDrive(@Nullable Runnable task) {
        if (!isShared || loop.isShuttingDown() || Thread.currentThread().isVirtual()) {
            return false;
        }
        if (!loop.tryTake()) {
            askForTurn();
            return false;
        }
        try {
            if (task == null) {
                loop.passNow();
            } else {
                task.run();
            }
        } finally {
            leave();
        }
        return true;
    }

    /**
     * The driver's: keeps a task for the next pass, before it looks at the sockets, if this is the
     * pass of a caller who will be back.
     */
    public boolean isPutOff(Runnable task) {
        return loop.isPutOff(task);
    }

    /** The driver's: does what was put off, now. */
    public void runPutOff() {
        loop.runPutOff();
    }

    private void leave() {
        passes.lazySet(passes.get() + 1);
        loop.give();
        if (isDozing) {
            isDozing = false;
            LockSupport.unpark(thread);
        }
    }

    private void askForTurn() {
        if (!isWanted) {
            isWanted = true;
            loop.wakeUp();
        }
    }

    @Override
    public long prepare() {
        isShared = true;
        return wakes.get();
    }

    @Override
    public void cancel() {}

    @Override
    public void sleep(long ticket, long nanos) {
        if (wakes.get() != ticket || nanos <= 0) {
            return;
        }
        if (Thread.currentThread().isVirtual() || loop.isShuttingDown()) {
            LockSupport.parkNanos(this, nanos);
            return;
        }
        long nanosMax = Math.min(nanos, WAIT_NANOS_MAX);
        try {
            if (!loop.tryTake()) {
                askForTurn();
                if (!loop.tryTake(Math.min(nanosMax, LEASE_NANOS))) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        waitInside(ticket, nanosMax);
    }

    private void waitInside(long ticket, long nanosMax) {
        isWaitingInside = true;
        try {
            loop.passAfterWait(nanosMax, () -> wakes.get() == ticket && !loop.isShuttingDown());
        } finally {
            isWaitingInside = false;
            leave();
        }
    }

    @Override
    public void wake(Thread sleeper) {
        wakes.incrementAndGet();
        if (isWaitingInside) {
            loop.wakeUp();
        } else {
            LockSupport.unpark(sleeper); // it is virtual, and parks
        }
    }
}
