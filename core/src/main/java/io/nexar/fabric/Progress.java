package io.nexar.fabric;

import io.nexar.transport.Sleeper;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Who drives a rank. All protocol state of the rank is guarded by one lock, and one thread at a
 * time, the leader, runs the duty cycle under it.
 *
 * <p>A thread that waits for an operation becomes the leader if no other caller is: it polls,
 * releases the lock, idles, polls again, until its own operation is over; then nobody leads. A
 * follower that still waits is woken, and leads. Followers are parked; the end of their operation,
 * or the lead, wakes them.
 *
 * <p>The background thread leads while no caller does, but keeps out of the way of callers who come
 * one after the other: it takes the lead once it has looked twice, a moment apart, and no caller
 * has led in between. So nobody is woken at the end of a call, a rank that computes answers its
 * peers within a few milliseconds, and an idle one sleeps. Work begun without a waiter it takes up
 * at once.
 *
 * <p>Who leads decides only who is woken by {@link #wakeUp}: correctness rests on the lock alone.
 * No wake-up is lost: {@link SleepingPlace} says why.
 */
public final class Progress {
    /** The work of one rank. */
    public interface Work {
        /**
         * One pass, with the lock held: polls links, advances operations. Returns how much it did.
         */
        int doWork();

        /** The part of a pass that peers and callers wait for; the rest can wait for a while. */
        default int poll() {
            return doWork();
        }

        /** When a pass is due even without a wake-up; MAX_VALUE: never. From any thread. */
        long nextDeadlineNanos();
    }

    /** When somebody gives up waiting: asked for once it may matter, so not by a short wait. */
    @FunctionalInterface
    public interface Deadline {
        long nanos();
    }

    /**
     * One pass in so many is a whole one, and while it spins a leader asks for the time as seldom:
     * it costs as much as a pass that finds nothing.
     */
    private static final int TURNS_PER_CLOCK = 64;

    /** The same while it yields, where a turn takes as long as others have the core. */
    private static final int YIELDS_PER_CLOCK = LoneCore.TURNS;

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicReference<@Nullable Thread> leader = new AtomicReference<>();
    private final ConcurrentLinkedQueue<Thread> followers = new ConcurrentLinkedQueue<>();
    private final SleepingPlace place;
    private final Work work;
    private final IdleStrategy idle;
    private final LongSupplier nanoClock;
    private final Spreading spreading = new Spreading();
    private final LoneCore loneCore = new LoneCore();
    private final CallersWatch callers = new CallersWatch();
    private volatile @Nullable Thread background;

    /** Guarded by the lock. */
    private int passes;

    /** The background thread sleeps until the present leader hands over. */
    private volatile boolean isResting;

    /** Something has begun that nobody waits for, and nobody leads. */
    private volatile boolean isUrgent;

    public Progress(Work work, IdleStrategy idle, LongSupplier nanoClock) {
        this(work, idle, nanoClock, null);
    }

    /**
     * @param sleeper of the endpoint whose links this polls; null: parking is right
     */
    public Progress(
            Work work, IdleStrategy idle, LongSupplier nanoClock, @Nullable Sleeper sleeper) {
        this.work = work;
        this.idle = idle;
        this.nanoClock = nanoClock;
        this.place = new SleepingPlace(sleeper == null ? new ParkingSleeper() : sleeper);
    }

    /** Takes the lock that guards the rank's state: to start an operation, or to look. */
    public void lock() {
        lock.lock();
    }

    /** Takes the lock, but waits no longer than that for it. */
    public boolean tryLock(long timeoutNanos) throws InterruptedException {
        return lock.tryLock(timeoutNanos, TimeUnit.NANOSECONDS);
    }

    public void unlock() {
        lock.unlock();
    }

    /** Whether a thread waits in {@link #await}, as far as one can see from outside. */
    public boolean hasCaller() {
        return isCaller(leader.get()) || !followers.isEmpty();
    }

    /** Tells whoever leads that there is something to do. Cheap; from any thread. */
    public void wakeUp() {
        place.wake();
    }

    /**
     * Like {@link #wakeUp}, of something that this rank has begun and nobody waits for: unless a
     * caller leads, the background thread goes on with it at once.
     */
    public void wakeUpUnattended() {
        place.wake();
        Thread watching = background;
        if (watching != null && leader.get() == null) {
            isUrgent = true;
            LockSupport.unpark(watching);
        }
    }

    /** Wakes a thread that waits here, leading or following. From any thread. */
    void wake(Thread waiting) {
        place.wake(waiting);
    }

    /** Passes in the calling thread, which wants to know what is here now. */
    public void poll() {
        Thread self = Thread.currentThread();
        boolean leads = tryLead(self);
        int left = TURNS_PER_CLOCK; // a link may hand out one frame a pass
        try {
            while (left > 0 && pass() > 0) {
                left--;
            }
            if (left == 0) {
                wakeUp(); // there may be more, and these passes have used up the word of it
            }
        } finally {
            if (leads) {
                handOver();
            }
        }
    }

    /**
     * Of a caller who holds the lock: looks some microseconds for what it waits for, unled.
     *
     * @param operation that nobody else knows yet
     */
    public void lookAtOnce(Completion operation) {
        if (!operation.isDone() && leader.get() == null) {
            callers.led();
            operation.confine(true);
            try {
                int finds = lockedPass() > 0 ? 1 : 0;
                for (int looks = 1; !operation.isDone() && idle.looksOn(looks, finds); looks++) {
                    finds += lockedPass() > 0 ? 1 : 0;
                }
            } finally {
                operation.confine(false);
            }
        }
    }

    /**
     * Waits until the operation is over, driving the rank if nobody else does.
     *
     * @return false if the deadline passed first
     * @throws InterruptedException if the thread is interrupted; the operation goes on
     */
    public boolean await(Completion operation, Deadline deadline) throws InterruptedException {
        return operation.isDone() || lead(operation, deadline);
    }

    /** The same until that time. */
    public boolean await(Completion operation, long deadlineNanos) throws InterruptedException {
        return await(operation, () -> deadlineNanos);
    }

    private boolean lead(Completion operation, Deadline deadline) throws InterruptedException {
        Thread self = Thread.currentThread();
        boolean hasFollowed = false;
        int fruitless = 0;
        try {
            for (int turn = 1; !operation.isDone(); turn++) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (!tryLead(self)) {
                    hasFollowed = true;
                    follow(self, operation, deadline.nanos());
                } else if (pass() > 0) {
                    fruitless = 0;
                } else if (!operation.isDone() && !idle.pause(fruitless++, self.isVirtual())) {
                    hasFollowed |= self.isVirtual();
                    sleep(self, operation, deadline.nanos());
                }
                if (turn % turnsPerClock(fruitless) == 0 && !operation.isDone()) {
                    long nowNanos = nanoClock.getAsLong();
                    if (nowNanos - deadline.nanos() >= 0) {
                        return operation.isDone();
                    }
                    if (idle.isYielding(fruitless)) {
                        spreading.yielded(nowNanos);
                    } else if (idle.leavesLoneCore() && loneCore.isAlone(fruitless, nowNanos)) {
                        sleep(self, operation, deadline.nanos());
                    }
                }
            }
            return true;
        } finally {
            if (leader.get() == self) {
                handOver();
            } else if (hasFollowed) {
                wakeFollower(); // this thread may have been woken to lead, and does not
            }
        }
    }

    private int turnsPerClock(int fruitless) {
        if (idle.isSpinning(fruitless)) {
            return TURNS_PER_CLOCK;
        }
        return idle.isParking(fruitless) ? 1 : YIELDS_PER_CLOCK;
    }

    /** The background thread's life: leads while no caller does, until {@code stop} is done. */
    public void leadInBackground(Completion stop) {
        Thread self = Thread.currentThread();
        stop.addWaiter(self, this);
        background = self;
        leader.compareAndSet(null, self);
        try {
            while (!stop.isDone()) {
                if (leader.get() != self) {
                    watch(self, stop);
                } else if (pass() == 0) {
                    sleepAsLeader(self, stop, Long.MAX_VALUE);
                }
            }
        } finally {
            background = null;
            leader.compareAndSet(self, null);
        }
    }

    /** The background thread: looks whether callers still come and go. */
    private void watch(Thread self, Completion stop) {
        callers.begin();
        if (!isUrgent) {
            LockSupport.parkNanos(this, CallersWatch.PAUSE_NANOS);
        }
        boolean isQuiet = callers.isQuiet();
        Thread current = leader.get();
        if (current == null && (isQuiet || isUrgent)) {
            leader.compareAndSet(null, self);
        } else if (isQuiet && isCaller(current)) {
            rest(stop);
        }
        isUrgent = false;
    }

    /** The background thread: sleeps until the present leader hands over. */
    private void rest(Completion stop) {
        isResting = true; // pairs with the read in handOver
        if (isCaller(leader.get()) && !stop.isDone()) {
            LockSupport.park(this);
        }
        isResting = false;
    }

    private boolean isCaller(@Nullable Thread thread) {
        return thread != null && thread != background;
    }

    private boolean tryLead(Thread self) {
        Thread current = leader.get();
        if (current == self) {
            return true;
        }
        if (isCaller(current) || !leader.compareAndSet(current, self)) {
            return false;
        }
        if (current != null) {
            place.wake(current); // Its place may be needed, and it has to watch.
        }
        return true;
    }

    private int pass() {
        lock.lock();
        try {
            return lockedPass();
        } finally {
            lock.unlock();
        }
    }

    private int lockedPass() {
        return ++passes % TURNS_PER_CLOCK == 0 ? work.doWork() : work.poll();
    }

    /** With nothing left out: what a leader does before it sleeps. */
    private int wholePass() {
        lock.lock();
        try {
            return work.doWork();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The leader has nothing to do. A virtual thread does not sleep as the leader, since a sleeper
     * may hold its carrier: it leaves the lead to the background thread, and follows.
     */
    private void sleep(Thread self, Completion operation, long deadlineNanos) {
        operation.addWaiter(self, this);
        Thread watching = background;
        if (self.isVirtual() && watching != null) {
            leader.set(watching);
            LockSupport.unpark(watching);
            follow(self, operation, deadlineNanos);
        } else {
            sleepAsLeader(self, operation, deadlineNanos);
        }
    }

    private void sleepAsLeader(Thread self, Completion operation, long deadlineNanos) {
        if (!place.tryEnter(self)) {
            Thread.yield(); // The background thread is on its way out.
            return;
        }
        try {
            if (wholePass() == 0 && leader.get() == self && !operation.isDone()) {
                long until = Math.min(deadlineNanos, work.nextDeadlineNanos());
                place.sleep(
                        until == Long.MAX_VALUE
                                ? until
                                : Math.max(0, until - nanoClock.getAsLong()));
            }
        } finally {
            place.leave();
        }
    }

    private void follow(Thread self, Completion operation, long deadlineNanos) {
        operation.addWaiter(self, this);
        followers.add(self);
        Thread current = leader.get();
        if (current != null && (self.isVirtual() || isCaller(current)) && !operation.isDone()) {
            LockSupport.parkNanos(this, deadlineNanos - nanoClock.getAsLong());
        }
        followers.remove(self);
    }

    private void handOver() {
        callers.led();
        leader.set(null);
        wakeFollower();
        if (isResting) { // pairs with the write in rest
            isResting = false;
            wakeBackground();
        }
    }

    private void wakeFollower() {
        Thread next = leader.get() == null ? followers.peek() : null;
        if (next != null) {
            LockSupport.unpark(next);
        }
    }

    private void wakeBackground() {
        Thread resting = background;
        if (resting != null) {
            LockSupport.unpark(resting);
        }
    }
}
