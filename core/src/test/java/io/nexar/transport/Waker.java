package io.nexar.transport;

import java.util.concurrent.TimeUnit;

/** What a test gives a link as its wake-up: a permit that one waiting thread takes. */
public class Waker implements Runnable {
    private boolean isSignalled;

    @Override
    public synchronized void run() {
        isSignalled = true;
        notifyAll();
    }

    /** Waits for a wake-up since the last one taken; false if none comes before the deadline. */
    public boolean await(long deadlineNanos) throws InterruptedException {
        synchronized (this) {
            while (!isSignalled) {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            isSignalled = false;
            return true;
        }
    }
}
