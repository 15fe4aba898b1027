package io.nexar.collective.plan.cost;

/**
 * What it costs besides to work on a byte, since it is not near the core any more.
 *
 * @param freshByteNanos which was there a call ago
 * @param againByteNanos which was there a window of slices ago
 * @param nearPart how much of the latter is near another core, if that one worked on it
 */
record MemoryTime(double freshByteNanos, double againByteNanos, double nearPart) {
    /** Of what one step does to so many shares of each kind. */
    double nanos(double fresh, double again, double shareBytes) {
        return shareBytes * (fresh * freshByteNanos + again * againByteNanos);
    }
}
