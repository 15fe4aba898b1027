package io.nexar.hosts;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** True once a time has passed since it was made: how long a fault is to last. */
final class Elapsed implements BooleanSupplier {

    private final long untilNanos;

    Elapsed(Duration time) {
        untilNanos = System.nanoTime() + time.toNanos();
    }

    @Override
    public boolean getAsBoolean() {
        return System.nanoTime() - untilNanos >= 0;
    }
}
