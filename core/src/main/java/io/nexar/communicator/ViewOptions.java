package io.nexar.communicator;

import io.nexar.Algorithm;

import java.time.Duration;

/** What a view of a communicator adds to it. */
record ViewOptions(Duration timeout, Algorithm algorithm) {
    ViewOptions {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout " + timeout + "; it must be above zero");
        }
    }

    ViewOptions withTimeout(Duration newTimeout) {
        return new ViewOptions(newTimeout, algorithm);
    }

    ViewOptions withAlgorithm(Algorithm newAlgorithm) {
        return new ViewOptions(timeout, newAlgorithm);
    }
}
