package io.nexar.transport.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.ScheduledFuture;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An event loop that threads drive in turns: whoever has the turn is the event loop, to Netty and
 * to everything that asks {@code inEventLoop}. Who takes it when is {@link TurnKeeper}'s matter.
 *
 * <p>Its timers nobody but the loop takes for due: to whoever asks, one that is due says that it
 * has a moment left, until the loop has come to it. Netty's QUIC codec (4.2.18) looks at a
 * connection's loss timer at the end of each send, and if it is due, runs it there and then. QUIC
 * marks what was lost; but the send that should follow is refused, because it is inside of a send.
 * Where nothing else is in flight no timer is left either, and the lost bytes wait for other
 * traffic: for ever, on a link whose ends wait for each other.
 */
final class TurnLoop extends AbstractScheduledEventExecutor implements IoEventLoop {
    /** Then the sockets are looked at again: some tasks beget others. */
    private static final int TASKS_PER_PASS_MAX = 256;

    private final ReentrantLock turn = new ReentrantLock();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Promise<Void> termination = new DefaultPromise<>(GlobalEventExecutor.INSTANCE);
    private final IoHandler io;
    private final TurnWait wait = new TurnWait(this); // the driver's
    private final Queue<Runnable> putOff = new ArrayDeque<>(); // the driver's
    private boolean isPolled; // the driver's
    private volatile @Nullable Thread driver;
    private volatile boolean isClosing;
    private volatile boolean isClosed;
    private boolean isInitialized; // the driver's

    TurnLoop(IoHandlerFactory io) {
        this.io = io.newHandler(this);
    }

    // ---- turns ----

    boolean tryTake() {
        if (turn.isHeldByCurrentThread() || !turn.tryLock()) {
            return false;
        }
        driver = Thread.currentThread();
        return true;
    }

    boolean tryTake(long timeoutNanos) throws InterruptedException {
        if (turn.isHeldByCurrentThread() || !turn.tryLock(timeoutNanos, TimeUnit.NANOSECONDS)) {
            return false;
        }
        driver = Thread.currentThread();
        return true;
    }

    void take() {
        turn.lock();
        driver = Thread.currentThread();
    }

    void give() {
        driver = null;
        turn.unlock();
    }

    boolean isTaken() {
        return turn.isLocked();
    }

    // ---- the driver ----

    /** Sockets that are ready, then tasks and timers. */
    void passNow() {
        isPolled = true;
        try {
            pass(wait.none());
        } finally {
            isPolled = false;
        }
    }

    /**
     * The same; if there is nothing to be done, waits for something, for a {@link #wakeUp}, or for
     * time to pass.
     */
    void passAfterWait(long nanosMax, TurnWait.Reason reason) {
        pass(wait.upTo(nanosMax, reason));
    }

    private void pass(TurnWait allowed) {
        if (!isInitialized) {
            isInitialized = true;
            io.initialize();
        }
        runPutOff();
        io.run(allowed);
        runTasks();
    }

    /** Keeps the task for the begin of the next pass; only while this one does not wait. */
    boolean isPutOff(Runnable task) {
        return isPolled && putOff.add(task);
    }

    void runPutOff() {
        for (Runnable task = putOff.poll(); task != null; task = putOff.poll()) {
            safeExecute(task);
        }
    }

    private void runTasks() {
        fetchFromScheduledTaskQueue(tasks);
        for (int i = 0; i < TASKS_PER_PASS_MAX; i++) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            safeExecute(task);
        }
    }

    boolean hasWork() {
        return !tasks.isEmpty() || hasScheduledTasks();
    }

    /** By the ticker; -1: there is none. */
    long nextTimerNanos() {
        return nextScheduledTaskDeadlineNanos();
    }

    /** Ends the loop: closes what is registered, runs what is left, takes nothing any more. */
    void end() {
        isClosing = true;
        runPutOff();
        runTasks();
        io.prepareToDestroy();
        cancelScheduledTasks();
        runTasks();
        io.destroy();
        isClosed = true;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            safeExecute(task);
        }
        termination.setSuccess(null);
    }

    // ---- any thread ----

    /** Ends the driver's wait, if it waits. */
    void wakeUp() {
        io.wakeup();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (isClosed && tasks.remove(task)) {
            throw new RejectedExecutionException("the event loop has ended");
        }
        if (!isClosed) {
            io.wakeup();
        }
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return driver == thread;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return new TurnTimer<>(this, super.schedule(command, delay, unit));
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> command, long delay, TimeUnit unit) {
        return new TurnTimer<>(this, super.schedule(command, delay, unit));
    }

    @Override
    public TurnLoop next() {
        return this;
    }

    @Override
    public @Nullable IoEventLoopGroup parent() {
        return null;
    }

    @Override
    public Future<IoRegistration> register(IoHandle handle) {
        Promise<IoRegistration> registered = newPromise();
        if (inEventLoop()) {
            register(handle, registered);
        } else {
            execute(() -> register(handle, registered));
        }
        return registered;
    }

    private void register(IoHandle handle, Promise<IoRegistration> registered) {
        try {
            registered.setSuccess(io.register(handle));
        } catch (Exception e) {
            registered.setFailure(e);
        }
    }

    @Override
    @Deprecated
    public ChannelFuture register(Channel channel) {
        return register(new DefaultChannelPromise(channel, this));
    }

    @Override
    @Deprecated
    public ChannelFuture register(ChannelPromise promise) {
        promise.channel().unsafe().register(this, promise);
        return promise;
    }

    @Override
    @Deprecated
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        channel.unsafe().register(this, promise);
        return promise;
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handle) {
        return io.isCompatible(handle);
    }

    @Override
    public boolean isIoType(Class<? extends IoHandler> type) {
        return io.getClass().equals(type);
    }

    /** Quick and once: {@link TurnKeeper} then takes the turn and calls {@link #end}. */
    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        beginToEnd();
        return termination;
    }

    private void beginToEnd() {
        isClosing = true;
        if (!isClosed) {
            io.wakeup();
        }
    }

    @Override
    @Deprecated
    public void shutdown() {
        beginToEnd();
    }

    @Override
    public Future<?> terminationFuture() {
        return termination;
    }

    @Override
    public boolean isShuttingDown() {
        return isClosing;
    }

    @Override
    public boolean isShutdown() {
        return isClosed;
    }

    @Override
    public boolean isTerminated() {
        return isClosed && termination.isDone();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return termination.await(timeout, unit);
    }
}
