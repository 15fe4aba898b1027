package io.nexar.fabric;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Something that will be over: an operation in flight. It is ended once, with the progress lock
 * held; anybody may look or wait. The end and what was written before it are visible to whoever
 * sees {@code isDone()} (the volatile write of {@code done} pairs with that read).
 */
public class Completion {
    private @Nullable RuntimeException failure;
    private volatile boolean done;
    private @Nullable Thread waiter;
    private @Nullable Progress waitingIn;
    private @Nullable List<Runnable> actions;

    public final boolean isDone() {
        return done;
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
        synchronized (this) {
            failure = null;
            done = false;
            waiter = null;
            waitingIn = null;
            actions = null;
        }
    }

    /** Runs the action when this is over, in the thread that ends it; at once if it is over. */
    public final void onDone(Runnable action) {
        synchronized (this) {
            if (!done) {
                if (actions == null) {
                    actions = new ArrayList<>(1);
                }
                actions.add(action);
                return;
            }
        }
        action.run();
    }

    /** Lets the end of this wake that thread, which waits in there, besides others. */
    final void addWaiter(Thread thread, Progress progress) {
        synchronized (this) {
            if (waiter == null || waiter == thread) {
                waiter = thread;
                waitingIn = progress;
                return;
            }
        }
        onDone(() -> progress.wake(thread));
    }

    private void end(@Nullable RuntimeException cause) {
        List<Runnable> toRun;
        Thread thread;
        Progress progress;
        synchronized (this) {
            if (done) {
                return;
            }
            failure = cause;
            done = true;
            toRun = actions;
            actions = null;
            thread = waiter;
            progress = waitingIn;
        }
        if (thread != null && progress != null && thread != Thread.currentThread()) {
            progress.wake(thread);
        }
        if (toRun != null) {
            toRun.forEach(Runnable::run);
        }
    }
}
