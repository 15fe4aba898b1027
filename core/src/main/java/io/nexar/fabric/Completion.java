package io.nexar.fabric;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Something that will be over: an operation in flight. It is ended once, with the progress lock
 * held; anybody may look or wait. The end and what was written before it are visible to whoever
 * sees {@code isDone()} (the exchange of the state in {@code end} pairs with that read).
 *
 * <p>All that wait here do so in the progress of one rank, and to end costs one atomic operation.
 */
public class Completion {
    private static final Object DONE = new Object();
    private static final VarHandle STATE = stateHandle();

    /**
     * Null: nobody waits. A thread that does, or an action; or several of both, in an array that is
     * never written. {@link #DONE} once this is over.
     */
    private volatile @Nullable Object state;

    private @Nullable RuntimeException failure;

    /**
     * Whether only the thread that holds the progress lock knows this; guarded by that. Then nobody
     * can begin to wait while it ends, and to end it costs no atomic operation.
     */
    private boolean isConfined;

    /** Published with the thread that waits there. */
    private @Nullable Progress waitingIn;

    public final boolean isDone() {
        return state == DONE;
    }

    /** Why it failed; null if it did not. To be asked once it is done. */
    public final @Nullable RuntimeException failure() {
        return failure;
    }

    public final void succeed() {
        end(null);
    }

    public final void fail(RuntimeException cause) {
        end(cause);
    }

    /** Makes this the completion of another operation: nobody may know it as the last one's. */
    public final void reset() {
        failure = null;
        waitingIn = null;
        STATE.setRelease(this, null);
    }

    /**
     * Of one that nobody else knows: says whether that stays so while the caller holds the progress
     * lock.
     */
    final void confine(boolean toThisThread) {
        isConfined = toThisThread;
    }

    /** Runs the action when this is over, in the thread that ends it; at once if it is over. */
    public final void onDone(Runnable action) {
        if (!tryAdd(action)) {
            action.run();
        }
    }

    /** Lets the end of this wake that thread, which waits in there, besides others. */
    final void addWaiter(Thread thread, Progress progress) {
        waitingIn = progress;
        tryAdd(thread);
    }

    /** False if this is over. */
    private boolean tryAdd(Object waiter) {
        while (true) {
            Object seen = state;
            if (seen == DONE) {
                return false;
            }
            if (isAmong(seen, waiter) || STATE.compareAndSet(this, seen, with(seen, waiter))) {
                return true;
            }
        }
    }

    private static boolean isAmong(@Nullable Object waiters, Object waiter) {
        return waiters instanceof Object[] several
                ? Arrays.asList(several).contains(waiter)
                : waiter.equals(waiters);
    }

    private static Object with(@Nullable Object waiters, Object waiter) {
        if (waiters == null) {
            return waiter;
        }
        Object[] before = waiters instanceof Object[] several ? several : new Object[] {waiters};
        Object[] all = Arrays.copyOf(before, before.length + 1);
        all[before.length] = waiter;
        return all;
    }

    private void end(@Nullable RuntimeException cause) {
        if (isDone()) {
            return;
        }
        failure = cause;
        if (isConfined && state == null) {
            STATE.setRelease(this, DONE);
            return;
        }
        Object waiters = STATE.getAndSet(this, DONE);
        if (waiters instanceof Object[] several) {
            for (Object waiter : several) {
                tell(waiter);
            }
        } else if (waiters != null) {
            tell(waiters);
        }
    }

    private void tell(Object waiter) {
        Progress progress = waitingIn;
        if (!(waiter instanceof Thread thread)) {
            ((Runnable) waiter).run();
        } else if (thread != Thread.currentThread() && progress != null) {
            progress.wake(thread);
        }
    }

    private static VarHandle stateHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(Completion.class, "state", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
