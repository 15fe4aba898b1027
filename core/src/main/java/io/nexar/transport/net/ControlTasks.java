package io.nexar.transport.net;

import io.netty.util.concurrent.EventExecutor;

import java.util.concurrent.RejectedExecutionException;

/** Hands work to a loop that may be at its end. */
final class ControlTasks {

    private ControlTasks() {}

    /** Runs it in the loop's thread; once the loop has ended there is nothing left to do it to. */
    static boolean tryExecute(EventExecutor loop, Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException ended) {
            return false;
        }
    }
}
