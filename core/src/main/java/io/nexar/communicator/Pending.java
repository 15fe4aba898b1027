package io.nexar.communicator;

import io.nexar.DeadlineException;
import io.nexar.InterruptedOperationException;
import io.nexar.OperationContext;
import io.nexar.fabric.Completion;
import io.nexar.fabric.Progress;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * An operation under way, as its caller waits for it: blocking calls and requests are the same but
 * for who waits. Its deadline counts from the call.
 *
 * @param <T> its result
 */
abstract class Pending<T> implements Progress.Deadline {
    private final CommunicatorCore core;
    private final Duration timeout;
    private long deadlineNanos;
    private boolean isTimed;

    /** One whose operation is still to begin. */
    Pending(CommunicatorCore core, Duration timeout) {
        this.core = core;
        this.timeout = timeout;
    }

    /** Its operation began at that time. */
    final void begin(long begunNanos) {
        deadlineNanos = begunNanos + timeout.toNanos();
        isTimed = true;
    }

    /** It begins now; when that is will be asked when its end is, which a short one is not. */
    final void begin() {
        isTimed = false;
    }

    /** When it has to be over; for the thread that began it, unless that has asked before. */
    @Override
    public final long nanos() {
        if (!isTimed) {
            begin(core.nowNanos());
        }
        return deadlineNanos;
    }

    CommunicatorCore core() {
        return core;
    }

    /** Where an error happened: made when there is one. */
    abstract OperationContext context();

    abstract Completion completion();

    /** The result, once the operation has ended well. */
    abstract T result();

    /** What is missing while this waits, for an error: "a message with tag 7". */
    abstract String missing();

    /** The ranks it waits for, as far as known here; with the progress lock held. */
    abstract List<Integer> waitingFor();

    /** Ends the operation with this failure if it is not over; with the progress lock held. */
    abstract void giveUp(RuntimeException failure);

    /** Takes the operation back if it has had no effect; with the progress lock held. */
    abstract boolean withdraw();

    /** Waits until it is over, at most until its deadline. */
    T await() {
        try {
            if (!core.progress().await(completion(), this)) {
                locked(this::expire);
            }
        } catch (InterruptedException interrupt) {
            locked(() -> giveUp(new InterruptedOperationException(context(), interrupt)));
            Thread.currentThread().interrupt();
        }
        return outcome();
    }

    /** Waits at most so long; the operation goes on when the time is up. */
    T await(Duration atMost) {
        long until = core.nowNanos() + atMost.toNanos();
        if (until - nanos() >= 0) {
            return await();
        }
        try {
            if (!core.progress().await(completion(), until)) {
                throw new DeadlineException(null, missing(), atMost, lockedWaitingFor());
            }
        } catch (InterruptedException interrupt) {
            locked(() -> giveUp(new InterruptedOperationException(context(), interrupt)));
            Thread.currentThread().interrupt();
        }
        return outcome();
    }

    /** Lets it end at its deadline though nobody waits; with the progress lock held. */
    void expireUnattended() {
        if (!completion().isDone()) {
            core.fabric().deadlines().add(nanos(), completion(), this::expire);
        }
    }

    /** Cancels it: a {@link CancellationException} for those who wait. */
    void cancel() {
        locked(() -> {
            if (!completion().isDone() && withdraw()) {
                completion().fail(new CancellationException(context() + " was cancelled"));
            }
        });
    }

    /** Its result or its failure; it must be over. */
    T outcome() {
        RuntimeException failure = completion().failure();
        if (failure != null) {
            throw CommunicatorCore.explain(failure, context());
        }
        return result();
    }

    private List<Integer> lockedWaitingFor() {
        core.progress().lock();
        try {
            return waitingFor();
        } finally {
            core.progress().unlock();
        }
    }

    private void expire() {
        giveUp(new DeadlineException(context(), missing(), timeout, waitingFor()));
    }

    private void locked(Runnable action) {
        core.progress().lock();
        try {
            action.run();
        } finally {
            core.progress().unlock();
        }
        core.progress().wakeUp();
    }
}
