package io.nexar.fabric;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Who drives a rank. All protocol state of the rank is guarded by one lock, and one thread at a
 * time, the leader, runs the duty cycle under it.
 *
 * <p>A thread that waits for an operation becomes the leader if no other caller is: it polls,
 * releases the lock, idles, polls again, until its own operation is over; then it hands the lead to
 * a follower that still waits, or back to the background thread. Followers are parked; the end of
 * their operation, or the lead, wakes them. The background thread leads while no caller waits. Who
 * leads decides only who is woken by {@link #wakeUp}: correctness rests on the lock alone.
 *
 * <p>No wake-up is lost: {@link #wakeUp} counts before it reads {@code leader}, and a leader
 * compares the count with the one its last pass began with, before it parks and after it has handed
 * over.
 */
public final class Progress {
    /** The work of one rank. */
    public interface Work {
        /**
         * One pass, with the lock held: polls links, advances operations. Returns how much it did.
         */
        int doWork();

        /** When a pass is due even without a wake-up; MAX_VALUE: never. From any thread. */
        long nextDeadlineNanos();
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicReference<@Nullable Thread> leader = new AtomicReference<>();
    private final ConcurrentLinkedQueue<Thread> followers = new ConcurrentLinkedQueue<>();
    private final Work work;
    private final IdleStrategy idle;
    private final LongSupplier nanoClock;
    private volatile @Nullable Thread background;
    private final AtomicLong wakeUps = new AtomicLong();
    private volatile long wakeUpsSeen;

    public Progress(Work work, IdleStrategy idle, LongSupplier nanoClock) {
        this.work = work;
        this.idle = idle;
        this.nanoClock = nanoClock;
    }

    /** Takes the lock that guards the rank's state: to start an operation, or to look. */
    public void lock() {
        lock.lock();
    }

    /** Takes the lock, but waits no longer than that for it. */
    public boolean tryLock(long timeoutNanos) throws InterruptedException {
        return lock.tryLock(timeoutNanos, TimeUnit.NANOSECONDS);
    }

    /** Whether a thread waits in {@link #await}, as far as one can see from outside. */
    public boolean hasCaller() {
        Thread current = leader.get();
        return (current != null && current != background) || !followers.isEmpty();
    }

    public void unlock() {
        lock.unlock();
    }

    /** Tells whoever leads that there is something to do. Cheap; from any thread. */
    public void wakeUp() {
        wakeUps.incrementAndGet();
        Thread thread = leader.get();
        if (thread != null && thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
        }
    }

    /** One pass in the calling thread, which wants to know what is here now. */
    public void poll() {
        if (pass() > 0) {
            wakeUp(); // there may be more, and this pass has used up the word of it
        }
    }

    /**
     * Waits until the operation is over, driving the rank if nobody else does.
     *
     * @return false if {@code deadlineNanos} passed first
     * @throws InterruptedException if the thread is interrupted; the operation goes on
     */
    public boolean await(Completion operation, long deadlineNanos) throws InterruptedException {
        Thread self = Thread.currentThread();
        operation.addWaiter(self);
        int fruitless = 0;
        try {
            while (!operation.isDone()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (nanoClock.getAsLong() - deadlineNanos >= 0) {
                    return false;
                }
                if (!tryLead(self)) {
                    follow(self, operation, deadlineNanos);
                } else if (pass() > 0) {
                    fruitless = 0;
                } else if (!operation.isDone() && !idle.pause(fruitless++, self.isVirtual())) {
                    parkUnlessWoken(deadlineNanos);
                }
            }
            return true;
        } finally {
            handOver(self);
        }
    }

    /**
     * The background thread's life: leads while no caller does, until {@code stop} is done and it
     * has been woken.
     */
    public void leadInBackground(Completion stop) {
        Thread self = Thread.currentThread();
        background = self;
        leader.compareAndSet(null, self);
        while (!stop.isDone()) {
            if (leader.get() != self) {
                LockSupport.park(this);
            } else if (pass() == 0 && !stop.isDone()) {
                // Asked once more, because waiting for the lock may have used up stop's wake-up.
                parkUnlessWoken(Long.MAX_VALUE);
            }
        }
        leader.compareAndSet(self, null);
    }

    private boolean tryLead(Thread self) {
        Thread current = leader.get();
        return current == self
                || ((current == null || current == background)
                        && leader.compareAndSet(current, self));
    }

    private int pass() {
        lock.lock();
        try {
            wakeUpsSeen = wakeUps.get();
            return work.doWork();
        } finally {
            lock.unlock();
        }
    }

    private void parkUnlessWoken(long deadlineNanos) {
        if (wakeUps.get() != wakeUpsSeen) {
            return;
        }
        long until = Math.min(deadlineNanos, work.nextDeadlineNanos());
        if (until == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, until - nanoClock.getAsLong());
        }
    }

    private void follow(Thread self, Completion operation, long deadlineNanos) {
        followers.add(self);
        Thread current = leader.get();
        if (current != null && current != background && !operation.isDone()) {
            LockSupport.parkNanos(this, deadlineNanos - nanoClock.getAsLong());
        }
        followers.remove(self);
    }

    private void handOver(Thread self) {
        followers.remove(self);
        if (leader.get() != self) {
            return;
        }
        Thread next = followers.poll();
        Thread successor = next != null ? next : background;
        leader.set(successor);
        boolean workLeft =
                wakeUps.get() != wakeUpsSeen || work.nextDeadlineNanos() != Long.MAX_VALUE;
        if (successor != null && (next != null || workLeft)) {
            LockSupport.unpark(successor);
        }
    }
}
