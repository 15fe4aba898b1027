package io.nexar.collective.plan.cost;

/**
 * What it costs besides to work on a byte, since it is not in the cache any more.
 *
 * @param freshByteNanos which was there a call ago
 * @param againByteNanos which was there a window of slices ago
 */
public record MemoryTime(double freshByteNanos, double againByteNanos) {
    /** Of what one step does to so many shares of each kind. */
    public double nanos(double fresh, double again, double shareBytes) {
        return shareBytes * (fresh * freshByteNanos + again * againByteNanos);
    }
}
