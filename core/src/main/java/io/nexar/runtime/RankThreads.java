package io.nexar.runtime;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * Makes every thread of the library. All are daemons: a program that ends without closing is not
 * kept alive by its runtime.
 */
final class RankThreads {
    private RankThreads() {}

    /** Threads of one part of a runtime, named after it. */
    static ThreadFactory named(String name) {
        return Thread.ofPlatform().daemon().name("nexar-" + name + "-", 0).factory();
    }

    /** A platform thread that runs a rank's task; started by the caller. */
    static Thread task(int rank, Runnable task) {
        return Thread.ofPlatform().name("nexar-rank-" + rank).unstarted(task);
    }

    /** The one thread that the JVM starts itself, at its end. */
    static Thread shutdownHook(Runnable task) {
        return Thread.ofPlatform().name("nexar-shutdown").unstarted(task);
    }

    /** Runs callers' continuations, each on a virtual thread: they may block. */
    static Executor callbacks() {
        ThreadFactory factory = Thread.ofVirtual().name("nexar-callback-", 0).factory();
        return action -> factory.newThread(action).start();
    }
}
