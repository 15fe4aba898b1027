package io.nexar.transport.tcp;

import io.netty.util.concurrent.ThreadPerTaskExecutor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The one thread of an endpoint: a selector, tasks, and timers. Whatever is attached to a key is
 * called when its channel is ready. {@code execute} and {@code close} are for any thread, the rest
 * is for this one.
 */
final class SelectorThread {
    private static final System.Logger LOG = System.getLogger(SelectorThread.class.getName());

    /** Closing is bounded: what a peer does not read by then is not waited for. */
    private static final long CLOSE_SECONDS_MAX = 3;

    /** Is called when the channel that it is attached to is ready. */
    interface Watched {
        void onReady(SelectionKey key) throws IOException;

        /** {@code onReady} has thrown. */
        void onFailure(Exception failure);
    }

    /** A task for later. */
    static final class Timer {
        private final long dueNanos;
        private final Runnable task;
        private boolean isCancelled;

        private Timer(long dueNanos, Runnable task) {
            this.dueNanos = dueNanos;
            this.task = task;
        }

        void cancel() {
            isCancelled = true;
        }
    }

    private final Selector selector;
    private final LongSupplier nanoClock;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>((one, other) -> Long.signum(one.dueNanos - other.dueNanos));
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isEnding;
    private volatile Thread thread = Thread.currentThread();

    SelectorThread(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector for the sockets", e);
        }
    }

    void start(ThreadFactory threads) {
        new ThreadPerTaskExecutor(threads).execute(this::run);
    }

    /** False if the thread has ended or is about to: the task is not run. */
    boolean execute(Runnable task) {
        if (isEnding) {
            return false;
        }
        tasks.add(task);
        selector.wakeup();
        return true;
    }

    Selector selector() {
        return selector;
    }

    SelectionKey register(SelectableChannel channel, int operations, Watched watched)
            throws ClosedChannelException {
        return channel.register(selector, operations, watched);
    }

    Timer schedule(long delayNanos, Runnable task) {
        Timer timer = new Timer(nanoClock.getAsLong() + delayNanos, task);
        timers.add(timer);
        return timer;
    }

    private void run() {
        thread = Thread.currentThread();
        try {
            while (!isEnding) {
                select();
                runTasks();
                runTimers();
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "the sockets can't be watched any more", e);
        } finally {
            isEnding = true;
            runTasks();
            closeAll();
            ended.countDown();
        }
    }

    private void select() throws IOException {
        long waitMillis = waitMillis();
        if (waitMillis < 0) {
            selector.selectNow(this::tell);
        } else {
            selector.select(this::tell, waitMillis);
        }
    }

    /** 0: until something comes; negative: not at all. */
    private long waitMillis() {
        if (!tasks.isEmpty()) {
            return -1;
        }
        while (!timers.isEmpty() && timers.peek().isCancelled) {
            timers.remove();
        }
        Timer first = timers.peek();
        if (first == null) {
            return 0;
        }
        long nanos = first.dueNanos - nanoClock.getAsLong();
        return nanos <= 0 ? -1 : TimeUnit.NANOSECONDS.toMillis(nanos) + 1;
    }

    private void tell(SelectionKey key) {
        Watched watched = (Watched) key.attachment();
        try {
            watched.onReady(key);
        } catch (CancelledKeyException closedMeanwhile) {
            // Whoever closed it knows.
        } catch (IOException | RuntimeException e) {
            watched.onFailure(e);
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            run(task);
        }
    }

    private void runTimers() {
        long now = nanoClock.getAsLong();
        while (!timers.isEmpty() && timers.peek().dueNanos - now <= 0) {
            Timer timer = timers.remove();
            if (!timer.isCancelled) {
                run(timer.task);
            }
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "a task of the sockets' thread failed", e);
        }
    }

    private void closeAll() {
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a socket could not be closed", e);
        }
    }

    /** Frees the selector of a thread that was never started. */
    void abandon() {
        isEnding = true;
        closeAll();
    }

    /** This thread is to end after the tasks that it has. */
    void end() {
        isEnding = true;
        selector.wakeup();
    }

    /** Returns once the thread is gone, unless it is the caller, or time is up. */
    void awaitEnd() {
        if (Thread.currentThread() == thread) {
            return;
        }
        boolean isInterrupted = Thread.interrupted();
        try {
            ended.await(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            isInterrupted = true;
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
