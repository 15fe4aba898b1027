package io.nexar.runtime;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets the others know when this JVM ends without {@code close()}: main returned, {@code
 * System.exit}, a signal. Shutdown hooks run side by side, and a program may well close in one of
 * its own; so this one gives a close a moment to begin, and then time to finish. It never holds the
 * JVM up for longer than {@link #LIMIT}.
 */
final class ShutdownHook {
    /** Hooks start at once, all together; so a close in another one begins within this. */
    private static final Duration GRACE = Duration.ofMillis(100);

    /** Nobody notices a second at the end of a program; a close that takes longer is cut off. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch freed = new CountDownLatch(1);
    private final Runnable onEnd;
    private final Thread thread;

    /**
     * Installs the hook.
     *
     * @param onEnd tells the others; runs in the hook's thread, if nobody has closed
     */
    ShutdownHook(Runnable onEnd) {
        this.onEnd = onEnd;
        this.thread = RankThreads.shutdownHook(this::run);
        try {
            Runtime.getRuntime().addShutdownHook(thread);
        } catch (IllegalStateException shuttingDown) {
            // Whoever joins now knows that it must close by itself.
            closing.countDown();
        }
    }

    /** A close has begun. */
    void closing() {
        closing.countDown();
    }

    /** The close has freed everything: the hook has nothing to do any more. */
    void freed() {
        freed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException shuttingDown) {
            // It runs, and ends by itself now.
        }
    }

    private void run() {
        try {
            if (closing.await(GRACE.toNanos(), TimeUnit.NANOSECONDS)) {
                freed.await(LIMIT.minus(GRACE).toNanos(), TimeUnit.NANOSECONDS);
            } else {
                onEnd.run();
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }
}
