package io.nexar.chaos;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waiting in tests. */
final class Waits {

    private static final int LOOK_MILLIS = 5;

    private Waits() {}

    /** Until the condition holds; an error that says for what it was if it does not in time. */
    static void until(String what, Duration atMost, BooleanSupplier condition)
            throws InterruptedException {
        if (!became(atMost, condition)) {
            throw new AssertionError("not within " + atMost + ": " + what);
        }
    }

    /** For as long as something, such as a cut, is to last. */
    static void lasting(Duration time) throws InterruptedException {
        if (became(time, () -> false)) {
            throw new IllegalStateException("a condition that never holds held");
        }
    }

    private static boolean became(Duration atMost, BooleanSupplier condition)
            throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        Object monitor = new Object();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            synchronized (monitor) {
                monitor.wait(LOOK_MILLIS);
            }
        }
        return true;
    }
}
